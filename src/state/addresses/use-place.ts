/** The place in the address bar, for components. */
import { useMemo, useSyncExternalStore } from 'react';
import { type AddressedPlace, parsePlace } from './place.ts';

export function usePlace(): AddressedPlace | null {
  const fragment = useSyncExternalStore(watchFragment, () => location.hash);
  return useMemo(() => parsePlace(fragment), [fragment]);
}

function watchFragment(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
}
