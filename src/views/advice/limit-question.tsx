/** The shortest list of changes, and of fields, that brings the largest message below a limit, by measurement. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { BelowLimit } from '#engine/advise/below-limit.ts';
import type { Advised } from '#state/advice-actions.ts';
import { useActions } from '#state/context.tsx';
import type { TriedChange } from '#state/view-state.ts';
import { ADVICE_NOTES, limitWords, rewrittenWords, withChanges, withoutFields } from '#wording/advice-notes.ts';

const LIMITS: readonly { readonly label: string; readonly bytes: number }[] = [
  { label: 'gRPC, 4 MiB', bytes: 4 << 20 },
  { label: 'Kafka, 1 MiB', bytes: 1 << 20 },
  { label: 'UDP datagram, 65,507', bytes: 65_507 },
  { label: 'Ethernet packet, 1,472', bytes: 1472 },
];

export function LimitQuestion({ advised }: { readonly advised: Advised }): ReactNode {
  const { belowLimit } = useActions();
  const [limit, setLimit] = useState(LIMITS[0]!.bytes);
  const [found, setFound] = useState<{ readonly limit: number; readonly below: BelowLimit } | null>(null);
  const [isLooking, setLooking] = useState(false);
  const running = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer about other messages does not count
  useEffect(() => {
    setFound(null);
    return () => running.current?.abort();
  }, [advised]);

  const look = async (bytes: number): Promise<void> => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setLimit(bytes);
    setLooking(true);
    const below = await belowLimit(bytes, mine.signal);
    if (mine.signal.aborted) return;
    setLooking(false);
    setFound(below !== null && 'largest' in below ? { limit: bytes, below } : null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isLooking) void look(limit);
  };
  return (
    <section className="advice-limit" aria-label={ADVICE_NOTES.limit}>
      <h2 data-term="label-limit">{ADVICE_NOTES.limit}</h2>
      <form className="advice-choices" onSubmit={submit}>
        {LIMITS.map(({ label, bytes }) => (
          <button key={label} type="button" className="control control-framed" onClick={() => void look(bytes)}>
            {label}
          </button>
        ))}
        <label>
          Bytes{' '}
          <input
            className="field"
            type="number"
            min={1}
            value={limit}
            onChange={({ target }) => setLimit(Math.max(1, target.valueAsNumber || 1))}
          />
        </label>
        <button type="submit" className="control control-framed" aria-disabled={isLooking}>
          {isLooking ? 'Measuring…' : 'Find out'}
        </button>
      </form>
      <div role="status">{found !== null && <Answer {...found} advised={advised} />}</div>
    </section>
  );
}

function Answer({
  limit,
  below: { largest, rewritten, changes, fields },
  advised,
}: {
  readonly limit: number;
  readonly below: BelowLimit;
  readonly advised: Advised;
}): ReactNode {
  const { tryChanges } = useActions();
  const words = [limitWords(largest, limit), rewrittenWords(largest, rewritten)]
    .filter((part) => part !== '')
    .join(' ');
  if (Math.min(largest, rewritten) <= limit) return <p>{words}</p>;
  const rows = (changes?.ids ?? []).flatMap((id) => advised.rows.filter((row) => row.id === id));
  return (
    <>
      <p>{words}</p>
      {changes === undefined ? (
        <p>{ADVICE_NOTES.noChanges}</p>
      ) : (
        <>
          <p>{withChanges(changes.largest)}</p>
          <ul>
            {rows.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
          <button
            type="button"
            className="control control-framed"
            onClick={() => tryChanges(rows.flatMap((row) => row.changes) as unknown as readonly TriedChange[])}
          >
            Apply them
          </button>
        </>
      )}
      {fields === undefined ? (
        <p>{ADVICE_NOTES.noFields}</p>
      ) : (
        <>
          <p>{withoutFields(fields.largest)}</p>
          <ul>
            {fields.names.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
