/**
 * The bytes of one message before and after the applied changes, linked: a selection in one is outlined in the other.
 */

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { createSayValue } from '#charts/row-value.ts';
import type { InspectedSide } from '#engine/inspect/inspect.ts';
import { type RowAddress, rowAddressOf, rowOf } from '#engine/inspect/row-address.ts';
import type { Applied, AppliedMessage } from '#state/advice-actions.ts';
import { useActions } from '#state/context.tsx';
import type { TriedChange } from '#state/view-state.ts';
import { ADVICE_NOTES } from '#wording/advice-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { HexView } from '../hex/hex-view.tsx';

export function BytesBeforeAfter(props: {
  readonly applied: Applied;
  readonly changes: readonly TriedChange[];
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Bytes before and after</summary>
      {isOpen && <Message {...props} />}
    </details>
  );
}

/** @param applied when it changes, the message is requested again */
function Message({
  applied,
  changes,
}: {
  readonly applied: Applied;
  readonly changes: readonly TriedChange[];
}): ReactNode {
  const { appliedMessage } = useActions();
  const [at, setAt] = useState(0);
  const [found, setFound] = useState<AppliedMessage | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer belongs to the changes
  useEffect(() => {
    const mine = new AbortController();
    void appliedMessage(changes, at, mine.signal).then((answer) => {
      if (!mine.signal.aborted && answer !== null && 'before' in answer) setFound(answer);
    });
    return () => mine.abort();
  }, [appliedMessage, applied, at]);
  if (found === null) return <p>Writing…</p>;
  return (
    <>
      {found.messages > 1 && (
        <div className="advice-bar">
          <button
            type="button"
            className="control"
            aria-label="Previous message"
            disabled={at === 0}
            onClick={() => setAt(at - 1)}
          >
            ‹
          </button>
          {formatCount(at + 1)} of {formatCount(found.messages)} messages
          <button
            type="button"
            className="control"
            aria-label="Next message"
            disabled={at + 1 >= found.messages}
            onClick={() => setAt(at + 1)}
          >
            ›
          </button>
        </div>
      )}
      <Sides before={found.before} after={found.after} />
    </>
  );
}

function Sides({ before, after }: { readonly before: InspectedSide; readonly after: InspectedSide }): ReactNode {
  const [selected, setSelected] = useState<RowAddress | null>(null);
  const [hovered, setHovered] = useState<RowAddress | null>(null);
  const sayBefore = useMemo(() => createSayValue({ protobuf: before }), [before]);
  const sayAfter = useMemo(() => createSayValue({ protobuf: after }), [after]);
  const sides = [
    { side: before, label: 'Before', sayValue: sayBefore },
    { side: after, label: 'After', sayValue: sayAfter },
  ];
  const rowIn = (side: InspectedSide, address: RowAddress | null): number | null => {
    const row = address === null ? -1 : rowOf(side, address);
    return row < 0 ? null : row;
  };
  return (
    <div className="advice-bytes">
      {sides.map(({ side, label, sayValue }) => (
        <HexView
          key={label}
          side={side}
          label={label}
          selected={rowIn(side, selected)}
          hovered={rowIn(side, hovered)}
          onSelect={(row) => setSelected(rowAddressOf('protobuf', side, row))}
          onHover={(row) => setHovered(row === null || row < 0 ? null : rowAddressOf('protobuf', side, row))}
          sayValue={sayValue}
          absence={selected !== null && rowIn(side, selected) === null ? ADVICE_NOTES.noBytes : null}
        />
      ))}
    </div>
  );
}
