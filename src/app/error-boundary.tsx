/** Catches a bug in a component; shows what happened and a way to continue. */

import { Component, type ReactNode } from 'react';
import { APP_NOTES } from '#wording/app-notes.ts';

interface Props {
  readonly children: ReactNode;
}

export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <main className="mx-auto max-w-3xl p-6" role="alert">
        <h1 className="text-lg font-semibold">{APP_NOTES.broken}</h1>
        <p className="mt-1">{error.message}</p>
        <p className="mt-1 text-ink-muted">{APP_NOTES.brokenView}</p>
        <button type="button" className="control control-framed mt-3" onClick={() => this.setState({ error: null })}>
          Try again
        </button>
        <pre className="mt-4 overflow-auto font-mono text-2xs text-ink-muted">{error.stack}</pre>
      </main>
    );
  }
}
