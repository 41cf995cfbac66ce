/**
 * Bytes over time: all messages, and in front of them those that are added up. Dragging, or keys on either edge, narrow
 * the time.
 */
import './timeline-strip.css';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import { useActions, useApp } from '#state/context.tsx';
import type { Timeline } from '#state/session-state.ts';
import { timelineLabel } from '#wording/message-notes.ts';
import { formatSeconds } from '#wording/number-text.ts';
import { scopeKey } from '../messages/scope-key.ts';
import { layOutTimeline } from './timeline-geometry.ts';

const HEIGHT = 40;
/** Pixels of a bin. */
const BIN = 3;

export function TimelineStrip(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  if (summary?.kind !== 'capture' || !(summary.lastTime !== null && summary.lastTime > (summary.firstTime ?? 0))) {
    return null;
  }
  return (
    <section aria-label="Timeline" className="border-b border-rule bg-paper px-3 pt-1">
      <FitWidth max={8000} min={1}>
        {(width) => <Strip width={width} messages={summary.messages} />}
      </FitWidth>
    </section>
  );
}

function Strip({ width, messages }: { readonly width: number; readonly messages: number }): ReactNode {
  const bins = Math.max(40, Math.floor(width / BIN));
  const scope = useApp(({ view }) => view.scope);
  const types = useApp(({ view }) => view.types);
  const { timeline: fetchTimeline, filterMessages } = useActions();
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  const readings = useApp(({ session }) => session.groupReadings);
  const key = useMemo(() => scopeKey({ ...scope, time: null }, types, readings), [scope, types, readings]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scope, or more messages, is another timeline
  useEffect(() => {
    const abort = new AbortController();
    void fetchTimeline(bins, abort.signal).then((found) => {
      if (!abort.signal.aborted && found !== null) setTimeline(found);
    });
    return () => abort.abort();
  }, [fetchTimeline, bins, key, messages]);
  const paths = useMemo(() => timeline && layOutTimeline(timeline, width, HEIGHT), [timeline, width]);
  const drag = useRef<number | null>(null);
  if (timeline === null || paths === null) return <div style={{ height: HEIGHT + 20 }} />;

  const { from, to } = timeline;
  const count = timeline.requests.length;
  const timeOf = (bin: number): number => from + ((to - from) * bin) / count;
  const binOf = (time: number): number => Math.round(((time - from) / (to - from)) * count);
  const [first, last] = scope.time === null ? [0, count] : [binOf(scope.time[0]), binOf(scope.time[1])];
  const brush = (a: number, b: number): void => {
    const [start, end] = [Math.max(0, Math.min(a, b)), Math.min(count, Math.max(a, b))];
    filterMessages({ time: end - start < 1 || (start === 0 && end === count) ? null : [timeOf(start), timeOf(end)] });
  };
  const binAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width) * count);
  };
  // The times stand on one line with the legend.
  const decimals = to - from < 1000 ? 4 : to - from < 1_000_000 ? 2 : 0;
  const seconds = (time: number): string => `${formatSeconds(time - from, decimals)} s`;
  const isBrushed = scope.time !== null;
  return (
    <>
      <div
        className="relative touch-none"
        style={{ height: HEIGHT }}
        onPointerDown={(event) => {
          if (event.target instanceof HTMLInputElement) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = binAt(event);
        }}
        onPointerMove={(event) => {
          if (drag.current !== null) brush(drag.current, binAt(event));
        }}
        onPointerUp={(event) => {
          if (drag.current !== null) brush(drag.current, binAt(event));
          drag.current = null;
        }}
      >
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={timelineLabel(seconds(to), paths.peak, (to - from) / count)}
          className="block cursor-crosshair"
        >
          <path d={paths.requests} fill="var(--rule-strong)" opacity={0.7} />
          <path d={paths.responses} fill="var(--rule-strong)" opacity={0.4} />
          <path d={paths.chosenRequests} fill="var(--accent)" />
          <path d={paths.chosenResponses} fill="var(--cat-type)" />
          <line x1={0} x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--rule-strong)" />
          {isBrushed && (
            <path
              d={`M0 0H${(first / count) * width}V${HEIGHT}H0zM${(last / count) * width} 0H${width}V${HEIGHT}H${(last / count) * width}z`}
              fill="var(--paper)"
              opacity={0.7}
            />
          )}
        </svg>
        {(['from', 'to'] as const).map((edge) => (
          <input
            key={edge}
            type="range"
            className={`timeline-edge ${isBrushed ? 'is-set' : ''}`}
            aria-label={edge === 'from' ? 'Messages from' : 'Messages until'}
            aria-valuetext={seconds(timeOf(edge === 'from' ? first : last))}
            min={0}
            max={count}
            value={edge === 'from' ? first : last}
            onChange={({ target }) =>
              edge === 'from'
                ? brush(Math.min(Number(target.value), last - 1), last)
                : brush(first, Math.max(Number(target.value), first + 1))
            }
          />
        ))}
      </div>
      <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-2xs text-ink-muted">
        <span className="whitespace-nowrap">
          {isBrushed ? `${seconds(timeOf(first))} – ${seconds(timeOf(last))}` : '0 s'}
        </span>
        {isBrushed && (
          <button
            type="button"
            className="whitespace-nowrap underline hover:text-ink"
            onClick={() => filterMessages({ time: null })}
          >
            all the time
          </button>
        )}
        <span className={`ml-auto whitespace-nowrap ${isBrushed ? '@max-sm:sr-only' : ''}`}>
          <span aria-hidden="true" className="text-accent forced-color-adjust-none">
            ■
          </span>{' '}
          requests{' '}
          <span aria-hidden="true" className="forced-color-adjust-none" style={{ color: 'var(--cat-type)' }}>
            ■
          </span>{' '}
          responses
        </span>
        <span className={`whitespace-nowrap ${isBrushed ? '@max-sm:ml-auto' : ''}`}>{seconds(to)}</span>
      </p>
    </>
  );
}
