/** Captures that were dropped together: each can be opened alone, or compared as A or B. */
import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { INPUT_NOTES } from '#wording/input-notes.ts';
import { formatBytes } from '#wording/number-text.ts';
import { visible } from '#wording/visible.ts';

export function DroppedCaptures(): ReactNode {
  const dropped = useApp(({ session }) => session.dropped);
  const shown = useApp(({ session }) => session.input?.name);
  const a = useApp(({ session }) => session.baseline?.from?.input.name);
  const { chooseDropped } = useActions();
  if (dropped.length === 0) return null;
  return (
    <section
      aria-label={INPUT_NOTES.dropped}
      className="max-h-[30%] shrink-0 overflow-auto border-b border-rule px-3 py-2"
    >
      <h2 className="panel-title">{INPUT_NOTES.dropped}</h2>
      <ul>
        {dropped.map((file) => (
          <li key={file.name} className="flex items-baseline gap-2">
            <button
              type="button"
              className="min-w-0 flex-1 truncate text-left text-accent underline"
              title={`${visible(file.name)}, ${formatBytes(file.size)}`}
              onClick={() => void chooseDropped(file, null)}
            >
              {visible(file.name)}
            </button>
            {(['A', 'B'] as const).map((side) => (
              <button
                key={side}
                type="button"
                className="control control-framed"
                aria-label={`${visible(file.name)} as ${side}`}
                aria-pressed={side === 'A' ? file.name === a : a !== undefined && file.name === shown}
                disabled={side === 'B' && a === undefined}
                onClick={() => void chooseDropped(file, side)}
              >
                {side}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
