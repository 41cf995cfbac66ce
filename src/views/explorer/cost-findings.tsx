/** Parts of a message's declaration that cost more than necessary: each sentence once, with its fields. */

import type { ReactNode } from 'react';
import type { FieldEntry } from '#state/explore.ts';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { typeAddress } from './addresses.ts';
import { Link, PageSection } from './symbol-head.tsx';

export function CostFindings({ fields }: { readonly fields: readonly FieldEntry[] }): ReactNode {
  const groups = new Map<string, { readonly isGuess: boolean; readonly about: FieldEntry[] }>();
  for (const field of fields) {
    for (const { message, isGuess } of field.cost.findings) {
      const known = groups.get(message);
      if (known) known.about.push(field);
      else groups.set(message, { isGuess, about: [field] });
    }
  }
  if (groups.size === 0) return null;
  return (
    <PageSection title={EXPLORER_NOTES.schemaAlone} term="label-costly" count={String(groups.size)}>
      <ul>
        {[...groups].map(([message, { isGuess, about }]) => (
          <li key={message} className="border-b border-rule py-1">
            <p className="max-w-3xl">
              {message}
              {isGuess && <span className="text-ink-muted"> {EXPLORER_NOTES.guessed}</span>}
            </p>
            <p className="flex flex-wrap gap-x-3">
              {about.map(({ fullName, name, number }) => (
                <span key={fullName}>
                  <Link to={typeAddress(fullName)}>{name}</Link> <span className="text-ink-muted">{number}</span>
                </span>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
