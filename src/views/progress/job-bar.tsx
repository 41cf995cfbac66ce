/** The progress of a long job of the worker: a thin bar, the figures, and a button to cancel. */
import { type ReactNode, useEffect, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { formatCount, formatPercent } from '#wording/number-text.ts';

/** Milliseconds until a job is shown. */
const PATIENCE = 200;

export function JobBar(): ReactNode {
  const job = useApp(({ session }) => session.job);
  const { cancel } = useActions();
  const [patient, setPatient] = useState(true);
  const busy = job !== null;
  useEffect(() => {
    setPatient(true);
    if (!busy) return;
    const timer = setTimeout(() => setPatient(false), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  if (!job || patient) return null;

  const { label, progress } = job;
  const ratio = progress && progress.total > 0 ? progress.done / progress.total : null;
  return (
    <div className="absolute inset-x-0 top-full z-30 border-b border-rule bg-paper">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={ratio === null ? undefined : Math.floor(ratio * 100)}
        className="h-0.5 bg-rule"
      >
        <div
          className={`h-full bg-accent forced-color-adjust-none ${ratio === null ? 'breathe' : ''}`}
          style={{ width: ratio === null ? '100%' : `${ratio * 100}%` }}
        />
      </div>
      <div className="flex items-center gap-3 px-4 py-1">
        <span role="status">{label}…</span>
        {progress && ratio !== null && (
          <span className="text-ink-muted">
            {formatCount(progress.done)} of {formatCount(progress.total)} {progress.unit}, {formatPercent(ratio)}
          </span>
        )}
        <button type="button" className="control control-framed ml-auto" onClick={cancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}
