/** The selected bytes in their compressed stream: the bits that they pay, and the source of copied bytes. */

import { type ReactNode, useEffect, useState } from 'react';
import type { HexSpan } from '#charts/hex-lines.ts';
import { isAttributed } from '#engine/cost/bit-parts.ts';
import { type Encoding, endAt, startAt } from '#engine/model/annotation.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { Streams } from '#state/measured/measured.ts';
import { shownBits } from '#state/measured/shown-bits.ts';
import type { CopiedFrom, SessionState } from '#state/session-state.ts';
import { shownProfile, streamEncoding } from '#state/shown-profile.ts';
import { copiedWords } from '#wording/bits-words.ts';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { bytesOfBits, formatBytes } from '#wording/number-text.ts';
import type { Sources } from '../hex/hex-pair.tsx';

export function CopiedFromLine({
  asked,
  inspection,
  rows,
  onSources,
}: {
  readonly asked: Streams;
  readonly inspection: NonNullable<SessionState['inspection']>;
  /** The selected row of each side; −1: none. */
  readonly rows: Readonly<Record<Encoding, number>>;
  readonly onSources: (sources: Sources) => void;
}): ReactNode {
  const { captured, ordinal, protobuf, native } = inspection;
  // Captured streams hold what was captured.
  const holdsCaptured = useApp(streamEncoding) === 'captured' || asked === 'captured';
  const encoding = captured === 'native' && holdsCaptured ? 'native' : 'protobuf';
  const table = (encoding === 'native' ? native : protobuf)?.table;
  const row = rows[encoding];
  const isKnown = useApp((state) => isAttributed(shownBits(state)?.container ?? {}));
  if (table === undefined || row <= 0 || !isKnown) return null;
  const span = { start: startAt(table, row), end: endAt(table, row) };
  return (
    <OfSpan
      asked={asked}
      ordinal={ordinal}
      of={encoding}
      span={span}
      onSources={(spans) => onSources({ encoding, spans })}
    />
  );
}

function OfSpan({
  asked,
  ordinal,
  of,
  span: { start, end },
  onSources,
}: {
  readonly asked: Streams;
  readonly ordinal: number;
  /** The side that the span lies in. */
  readonly of: Encoding;
  /** The selected bytes of the message. */
  readonly span: HexSpan;
  /** Called with the bytes of the same message that are the source of the copy. */
  readonly onSources: (sources: readonly HexSpan[]) => void;
}): ReactNode {
  const { findCopies, selectSpan } = useActions();
  const profile = useApp(shownProfile);
  const [found, setFound] = useState<CopiedFrom | null | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another profile is asked again
  useEffect(() => {
    const mine = new AbortController();
    void findCopies(asked, { ordinal, start, end }, mine.signal).then((copies) => {
      if (mine.signal.aborted) return;
      setFound(copies);
      onSources(
        (copies?.stretches ?? []).flatMap(({ start: at, end: to, from }) =>
          from?.ordinal === ordinal ? [{ start: from.offset, end: from.offset + to - at }] : [],
        ),
      );
    });
    return () => {
      mine.abort();
      onSources([]);
    };
  }, [asked, profile, ordinal, start, end]);
  if (found === undefined) return null;
  if (found === null) {
    return <p className="px-3 py-0.5 text-ink-muted">{MESSAGE_NOTES.notCompressed}</p>;
  }
  const paid = found.stretches.reduce((sum, { bits }) => sum + bits, 0);
  return (
    <div
      role="status"
      aria-label="Copied from"
      className="cut-below max-h-[85px] overflow-auto border-b border-rule px-3 py-0.5"
    >
      <p>
        {formatBytes((found.stretches.at(-1)?.end ?? start) - start)} pay {bytesOfBits(paid)} after compression
        {found.more > 0 && ` (the first ${found.stretches.length} stretches; ${formatBytes(found.more)} follow)`}
      </p>
      <ul>
        {found.stretches.map((stretch) => (
          <li key={stretch.start}>
            {copiedWords(stretch, ordinal)}
            {stretch.from?.ordinal !== undefined && (
              <>
                {', '}
                <button
                  type="button"
                  className="text-accent"
                  onClick={() => void selectSpan(stretch.from!.ordinal!, stretch.from!.offset, of)}
                >
                  {stretch.from.path ?? 'show it'}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
