/** Reports a newer version of the app. It is used only on request, or when the app is closed. */

import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { APP_NOTES } from '#wording/app-notes.ts';
import { keepOffline, type Offline } from './offline.ts';

export function UpdateNote(): ReactNode {
  const [offline, setOffline] = useState<Offline | null>(null);
  useEffect(() => void keepOffline('service-worker.js').then(setOffline), []);
  return offline && <Note offline={offline} />;
}

function Note({ offline }: { readonly offline: Offline }): ReactNode {
  const isNewer = useSyncExternalStore(offline.subscribe, offline.isNewer);
  const [isPutOff, putOff] = useState(false);
  if (!isNewer || isPutOff) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b border-rule bg-paper-sunk px-4 py-1">
      <p>{APP_NOTES.newer}</p>
      <button type="button" className="control control-framed" onClick={offline.useNewer}>
        Reload with it now
      </button>
      <button type="button" className="control" onClick={() => putOff(true)}>
        Later
      </button>
    </div>
  );
}
