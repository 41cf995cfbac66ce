/** The selected field, or what selecting one would show. */
import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { FieldDetail } from '../field-detail/field-detail.tsx';

export function FieldPane(): ReactNode {
  const profile = useApp(({ session }) => session.analysis?.profile);
  const path = useApp(({ view }) => view.selection.path);
  const field = profile?.fields.find((candidate) => candidate.path === path);
  if (!profile) return null;
  if (path === null || !field) {
    return (
      <p className="p-4 text-ink-muted">
        {path === null
          ? 'Select a field: where its bytes go, how wide its varints are, when its presence pays.'
          : `This input has nothing at ${path}.`}
      </p>
    );
  }
  return (
    <div className="h-full overflow-auto">
      <FieldDetail profile={profile} path={path} />
    </div>
  );
}
