/** The saving without the selected field, measured on request. */

import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { shownSaved } from '#state/measured/shown-saved.ts';
import { useSavings } from '#state/measured/use-savings.ts';
import { SAVED_NOTES } from '#wording/saved-notes.ts';
import { savedWords } from '#wording/saved-words.ts';

export function SavedIfRemoved({ path }: { readonly path: string }): ReactNode {
  const answer = useApp(shownSaved);
  const { isRunning, hasFailed, measure, cancel } = useSavings();
  const saved = answer?.saved.get(path);
  return (
    <section aria-label="Saved if removed" className="border-t border-rule px-4 py-2">
      <div className="field-detail-bar">
        <h3 data-term="label-saved">Saved if removed</h3>
        {saved === undefined && answer !== null && (
          <button
            type="button"
            className="control control-framed"
            onClick={() => (isRunning ? cancel() : measure([path]))}
          >
            {isRunning ? 'Cancel' : 'Compress without it'}
          </button>
        )}
      </div>
      <p className="field-detail-words">
        <span role="status">
          {saved && answer
            ? savedWords({ ...answer, ...saved, path })
            : hasFailed
              ? SAVED_NOTES.failed
              : isRunning && 'Measuring…'}
        </span>
        {!saved && !hasFailed && !isRunning && (answer === null ? SAVED_NOTES.noMessage : SAVED_NOTES.meaning)}
      </p>
    </section>
  );
}
