/** After compression: the choice of the streams, and the line of what they cost: bits of tags, lengths and container. */

import { type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import type { Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { STREAMS, type Streams } from '#state/measured/measured.ts';
import { shownBits } from '#state/measured/shown-bits.ts';
import { shownProfile } from '#state/shown-profile.ts';
import { DRAWN, type Drawn } from '#state/view-state.ts';
import { bitsSource, bitsWords, containerWords } from '#wording/bits-words.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { lazyPart } from '../progress/lazy-part.tsx';

const Savings = lazyPart(async () => (await import('./savings.tsx')).Savings);

/** The compressed streams that the table shows beside plain bytes. */
export function PaidChoice(): ReactNode {
  const id = useId();
  const asked = useApp(({ view }) => view.paid);
  const hasBytes = useApp(({ session }) => session.input?.data != null);
  const { setPaid } = useActions();
  return (
    <>
      <label htmlFor={`${id}-by`} className="sr-only">
        After compression
      </label>
      <select
        id={`${id}-by`}
        className="field field-small"
        data-term="paid"
        value={asked ?? ''}
        onChange={({ target }) => setPaid(target.value === '' ? null : (target.value as Streams))}
      >
        <option value="">plain bytes</option>
        {Object.entries(STREAMS)
          .filter(([streams]) => hasBytes || streams === asked)
          .map(([streams, label]) => (
            <option key={streams} value={streams}>
              {streams === 'captured' ? `compressed ${label}` : `after ${label}`}
            </option>
          ))}
      </select>
    </>
  );
}

export function PaidLine({ profile }: { readonly profile: Profile }): ReactNode {
  const asked = useApp(({ view }) => view.paid);
  const drawn = useApp(({ view }) => view.drawn);
  const hasBytes = useApp(({ session }) => session.input?.data != null);
  const { setDrawn } = useActions();
  const [hasSavings, setSavings] = useState(false);
  if (asked === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-rule px-4 py-1">
      <fieldset className="segments" data-term="label-drawn">
        <legend className="sr-only">{VERDICT_NOTES.drawn}</legend>
        {(Object.keys(DRAWN) as Drawn[]).map((key) => (
          <button key={key} type="button" aria-pressed={key === drawn} onClick={() => setDrawn(key)}>
            {DRAWN[key]}
          </button>
        ))}
      </fieldset>
      {hasBytes && (
        <button
          type="button"
          className="control"
          data-term="label-saved"
          aria-expanded={hasSavings}
          onClick={() => setSavings((isShown) => !isShown)}
        >
          Saved if removed
        </button>
      )}
      <Answer asked={asked} />
      {hasSavings && (
        <Suspense fallback={null}>
          <Savings profile={profile} />
        </Suspense>
      )}
    </div>
  );
}

function Answer({ asked }: { readonly asked: Streams }): ReactNode {
  const bits = useApp(shownBits);
  const profile = useApp(shownProfile);
  const { measureBits, setPaid } = useActions();
  const [hasFailed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for and what it is of begin it anew
  useEffect(() => {
    if (bits !== undefined || profile === undefined) return;
    const mine = new AbortController();
    setFailed(false);
    void measureBits(asked, mine.signal).then((isDone) => setFailed(!isDone && !mine.signal.aborted));
    return () => mine.abort();
  }, [asked, profile]);
  const note = hasFailed
    ? VERDICT_NOTES.failed
    : bits === undefined
      ? 'Measuring…'
      : bits === null
        ? VERDICT_NOTES.uncompressed
        : null;
  return (
    <>
      <p
        role="status"
        className={note === null ? 'min-w-0 flex-1 basis-96' : 'text-ink-muted'}
        title={bits ? `${bitsSource(bits)} ${containerWords(bits)}` : undefined}
      >
        {note ?? (bits && bitsWords(bits))}{' '}
        {note === null && bits && <span className="text-ink-muted">{containerWords(bits).replace(/:.*$/, '.')}</span>}
      </p>
      {bits === undefined && !hasFailed && (
        <button type="button" className="control" onClick={() => setPaid(null)}>
          Cancel
        </button>
      )}
    </>
  );
}
