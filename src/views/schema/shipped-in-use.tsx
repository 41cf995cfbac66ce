/** The files of the bundled schemas that the messages are read with: by name, each with its text. */

import { type ReactNode, useMemo } from 'react';
import { shortNameOf } from '#engine/schema/names.ts';
import { fragmentOf } from '#state/addresses/place.ts';
import { useApp } from '#state/context.tsx';
import type { TypeSourceFile } from '#state/explore.ts';
import { SCHEMA_PANEL_NOTES } from '#wording/schema-panel-notes.ts';
import { useAnswer } from '../explorer/use-answer.ts';

const NONE: readonly never[] = [];

/** Files of the shown types and of the types of their fields; empty while these are not known. */
export function useShippedInUse(): readonly TypeSourceFile[] {
  const profiles = useApp(({ session }) => session.analysis?.profiles) ?? NONE;
  const types = useMemo(() => profiles.map(({ type }) => type).filter((type) => type !== ''), [profiles]);
  const { answer } = useAnswer('sourcesOf', types.length === 0 ? null : { types });
  return useMemo(() => (answer ?? NONE).filter(({ shelf }) => shelf === 'bundled'), [answer]);
}

export function ShippedInUse({ files }: { readonly files: readonly TypeSourceFile[] }): ReactNode {
  return (
    <section aria-label={SCHEMA_PANEL_NOTES.inUseTitle}>
      <p className="text-ink-muted">{SCHEMA_PANEL_NOTES.inUse}</p>
      <ul className="mt-1">
        {files.map(({ file, package: packageName, types }) => (
          <li key={file} className="border-b border-rule py-0.5">
            <a
              className="break-all text-accent underline"
              href={fragmentOf({ at: 'edit', name: file, line: 1, column: 1 })}
            >
              {file}
            </a>{' '}
            <span className="text-ink-muted">package {packageName === '' ? 'none' : packageName}</span>
            {types.map((type) => (
              <span key={type}>
                {' · '}
                <a className="text-accent underline" href={fragmentOf({ at: 'type', name: type })} title={type}>
                  {shortNameOf(type)}
                </a>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
