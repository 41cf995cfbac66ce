/** A failure of the app itself: what failed, where, and what to do. Findings about data are shown elsewhere. */
import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { visible } from '#wording/visible.ts';

export function FailureNote(): ReactNode {
  const failure = useApp(({ session }) => session.failure);
  const { dismissFailure } = useActions();
  if (!failure) return null;
  const [what, ...where] = failure.detail.split('\n').map(visible);
  return (
    <div role="alert" className="border-b border-rule border-l-4 border-l-bad px-4 py-2">
      <p>
        <strong>{failure.title}.</strong> {what}
      </p>
      <p className="text-ink-muted">{failure.remedy}</p>
      <div className="mt-1 flex items-start gap-2">
        <button type="button" className="control control-framed" onClick={dismissFailure}>
          Dismiss
        </button>
        {failure.isReload && (
          <button type="button" className="control control-framed" onClick={() => location.reload()}>
            Reload
          </button>
        )}
        {where.length > 0 && (
          <details className="min-w-0 py-1">
            <summary>Where</summary>
            <pre className="mt-1 max-h-40 overflow-auto font-mono text-2xs">{where.join('\n')}</pre>
          </details>
        )}
      </div>
    </div>
  );
}
