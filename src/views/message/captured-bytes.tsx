/** The bytes that were shared with figures whose message was not shared. Loaded on demand. */

import type { ReactNode } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { BytesFigure } from '#figures/bytes-figure.tsx';
import { excerptTitle } from '#wording/excerpt-words.ts';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';

export const SharedBytes = ({ excerpt }: { readonly excerpt: Excerpt }): ReactNode => (
  <section aria-label="Shared bytes" className="h-full overflow-auto p-4">
    <h2 className="panel-title mb-2">{excerptTitle(excerpt)}</h2>
    <FitWidth max={900}>{(width, id) => BytesFigure({ id, excerpt, width })}</FitWidth>
    <p className="mt-2 text-ink-muted">{MESSAGE_NOTES.sharedOnly}</p>
  </section>
);
