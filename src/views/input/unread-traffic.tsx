/** Traffic of a capture from which no messages are read: TLS, Redis, UDP …, by name, with counts and sizes. */

import type { ReactNode } from 'react';
import { plural } from '#engine/model/count-text.ts';
import { useApp } from '#state/context.tsx';
import { INPUT_NOTES } from '#wording/input-notes.ts';
import { formatBytes } from '#wording/number-text.ts';

/** @param saysHowToRead false if the remedy is already shown above */
export function UnreadTraffic({ saysHowToRead = true }: { readonly saysHowToRead?: boolean }): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  if (summary?.kind !== 'capture' || summary.traffic.length === 0) return null;
  return (
    <>
      <h3 className="panel-title mb-1" data-term="label-not-read">
        Not read
      </h3>
      <dl aria-label="Not read" className="mt-1 mb-3 grid grid-cols-[auto_1fr] gap-x-4">
        {summary.traffic.map(({ name, unit, count, bytes, isEncrypted }) => (
          <div key={`${unit} ${name}`} className="col-span-2 grid grid-cols-subgrid border-b border-rule py-0.5">
            <dt className="text-ink-muted">{isEncrypted ? `${name}, encrypted` : name}</dt>
            <dd className="text-right">
              {plural(count, unit)}, {formatBytes(bytes)}
            </dd>
          </div>
        ))}
      </dl>
      {saysHowToRead && summary.traffic.some(({ name }) => name === 'TLS') && (
        <p className="mb-3 text-ink-muted">{INPUT_NOTES.tls}</p>
      )}
    </>
  );
}
