/** A and B after compression: the shown compressors, and the bits that each field pays on either side. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { bytesAround, diffPaid, type PaidDiff } from '#engine/cost/paid-diff.ts';
import { useActions, useApp } from '#state/context.tsx';
import { PAIR_STREAMS, type PairStreams, STREAMS } from '#state/measured/measured.ts';
import { type SidesBits, sidesBits } from '#state/measured/shown-pair-bits.ts';
import { useMeasuredSides } from '#state/measured/use-measured-sides.ts';
import { shownProfile } from '#state/shown-profile.ts';
import { bitsSource } from '#wording/bits-words.ts';
import { notMeasurable, notShared } from '#wording/pair-notes.ts';
import { aroundWords, capturedSide } from '#wording/pair-words.ts';
import type { ShownPair } from './use-pair.ts';

export interface PaidColumns {
  readonly asked: PairStreams;
  readonly label: string;
  /** null: not measured yet, or a side cannot be measured. */
  readonly diff: PaidDiff | null;
  readonly sides: SidesBits;
}

/** In the order of the choice. */
export function usePaidColumns({ a, b, units, aligned }: ShownPair): readonly PaidColumns[] {
  const after = useApp(({ view }) => view.pair.after);
  const measured = useMeasuredSides();
  return useMemo(
    () =>
      PAIR_STREAMS.filter((asked) => after.includes(asked)).map((asked): PaidColumns => {
        const sides = sidesBits(measured, b, asked);
        const diff =
          sides.a && sides.b
            ? diffPaid({ profile: a, bits: sides.a }, { profile: b, bits: sides.b }, aligned, units)
            : null;
        return { asked, label: STREAMS[asked], diff, sides };
      }),
    [after, measured, a, b, units, aligned],
  );
}

export function AfterChoice({ columns }: { readonly columns: readonly PaidColumns[] }): ReactNode {
  const after = useApp(({ view }) => view.pair.after);
  const { setPair } = useActions();
  return (
    <fieldset className="pair-after" data-term="label-after">
      <legend className="sr-only">After compression</legend>
      <span aria-hidden="true">After</span>
      {PAIR_STREAMS.map((id) => (
        <button
          key={id}
          type="button"
          aria-pressed={after.includes(id)}
          onClick={() => setPair({ after: after.includes(id) ? after.filter((one) => one !== id) : [...after, id] })}
        >
          {STREAMS[id]}
        </button>
      ))}
      {columns.map((column) => (
        <Measuring key={column.asked} column={column} />
      ))}
    </fieldset>
  );
}

/** Measures the missing sizes after a compressor, and names the inputs that cannot be measured. */
function Measuring({ column: { asked, label, sides } }: { readonly column: PaidColumns }): ReactNode {
  const { measurePair } = useActions();
  const shown = useApp(shownProfile);
  const baseline = useApp(({ session }) => session.baseline?.profile);
  const [hasFailed, setFailed] = useState(false);
  const isNeeded = (sides.a === undefined && sides.b !== null) || (sides.b === undefined && sides.a !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sides begin it anew
  useEffect(() => {
    if (!isNeeded) return;
    const mine = new AbortController();
    setFailed(false);
    void measurePair(asked, mine.signal).then((isDone) => setFailed(isDone !== true && !mine.signal.aborted));
    return () => mine.abort();
  }, [asked, shown, baseline, isNeeded]);
  if (isNeeded) return <span role="status">{hasFailed ? notMeasurable(label) : `Measuring ${label}…`}</span>;
  const missing = (['a', 'b'] as const).filter((side) => sides[side] === null).map((side) => side.toUpperCase());
  if (missing.length > 0) {
    return <span role="status">{notShared(label, missing)}</span>;
  }
  return (
    <span className="sr-only" role="status">
      {`${label}: A ${sides.a ? bitsSource(sides.a) : ''} B ${sides.b ? bitsSource(sides.b) : ''}`}
    </span>
  );
}

/** Why compressed sizes are of more than the plain bytes. All compressors get the same streams. */
export function Around({
  pair,
  columns,
}: {
  readonly pair: ShownPair;
  readonly columns: readonly PaidColumns[];
}): ReactNode {
  const sides = columns.map((column) => column.sides).find(({ a, b }) => a && b);
  if (!sides?.a || !sides.b) return null;
  const words = aroundWords({
    a: bytesAround(capturedSide(pair.a), sides.a),
    b: bytesAround(capturedSide(pair.b), sides.b),
  });
  return words && <p className="pair-around">{words}</p>;
}
