/** TLS secrets that this tab holds, and how to remove them. */
import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { heldSecrets } from '#wording/input-notes.ts';

export function KeyLogNote(): ReactNode {
  const keyLog = useApp(({ session }) => session.keyLog);
  const { forgetKeys } = useActions();
  if (keyLog === null) return null;
  const { connections } = keyLog;
  return (
    <p role="status" className="text-ink-muted">
      {heldSecrets(connections)}{' '}
      <button type="button" className="text-accent underline" onClick={() => void forgetKeys()}>
        Forget them
      </button>
    </p>
  );
}
