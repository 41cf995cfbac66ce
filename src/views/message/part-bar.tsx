/** Steps through the parts of a message too large to be shown at once. */
import type { MessagePart } from '#engine/analysis/inspect-message.ts';
import { partWords } from '#wording/part-words.ts';

export function PartBar({ part, onSelect }: { part: MessagePart; onSelect: (index: number) => void }) {
  return (
    <div className="flex items-center gap-1 border-b border-rule bg-paper-sunk px-2 py-0.5">
      <button
        type="button"
        className="control"
        aria-label="Previous part"
        disabled={part.index === 0}
        onClick={() => onSelect(part.index - 1)}
      >
        ‹
      </button>
      <span className="min-w-0 px-1" role="status">
        {partWords(part)}
      </span>
      <button
        type="button"
        className="control"
        aria-label="Next part"
        disabled={part.isLast}
        onClick={() => onSelect(part.index + 1)}
      >
        ›
      </button>
    </div>
  );
}
