/** Whether there is room for panes side by side. */
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 900px)';

export const useWide = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(WIDE).matches,
  );
