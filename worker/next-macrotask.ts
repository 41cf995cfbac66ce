/**
 * Lets the worker receive its next message. Posts a message to itself, because nested timers are delayed by 4 ms
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
