/** A note on a capture that lacks some traffic: the truncated or missing parts, and how to capture all of it. */
import type { ReactNode } from 'react';
import { useShownSource } from '#state/use-shown-source.ts';
import { lossWords } from '#wording/no-message-words.ts';

export function LossNote(): ReactNode {
  const words = useShownSource().losses.flatMap(lossWords);
  if (words.length === 0) return null;
  return (
    <div role="note" className="border-b border-rule px-4 py-1.5">
      {words.map(({ says, next }) => (
        <details key={says} className="group">
          <summary className="truncate font-semibold group-open:whitespace-normal" title={says}>
            {says}
          </summary>
          <p className="text-ink-muted">{next}</p>
        </details>
      ))}
    </div>
  );
}
