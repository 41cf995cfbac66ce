/** The service worker: it keeps the build for use without a network, and reports when a newer build exists. */

export interface Offline {
  /** Whether a newer build waits to be used. */
  readonly isNewer: () => boolean;
  readonly subscribe: (changed: () => void) => () => void;
  /** Reloads into the newer build. */
  readonly useNewer: () => void;
}

/** null: the browser does not support service workers, or registration failed. */
export async function keepOffline(address: string): Promise<Offline | null> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const registration = await container?.register(address).catch(() => undefined);
  if (container === undefined || registration === undefined) return null;
  const listeners = new Set<() => void>();
  const report = (): void => {
    for (const changed of listeners) changed();
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', report);
  });
  return {
    isNewer: () => registration.waiting !== null && container.controller !== null,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    useNewer() {
      container.addEventListener('controllerchange', () => location.reload(), { once: true });
      registration.waiting?.postMessage('use-this-build');
    },
  };
}
