/** A capture whose packets were cut by its snap length: which of them, and how to capture them whole. */
import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { cutWords } from '#wording/no-message-words.ts';

export function CutNote(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const words = summary?.kind === 'capture' ? cutWords(summary.cut, summary.packets) : null;
  if (words === null) return null;
  return (
    <p role="note" className="border-b border-rule px-4 py-1.5">
      <span className="font-semibold">{words.says}</span> {words.next}
    </p>
  );
}
