/**
 * Lets the worker receive its next message. By a message to itself: timers that timers set wait 4 ms
 * (html.spec.whatwg.org, timer initialization steps).
 */
export const nextMacrotask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
