/** A component that is loaded when it is first drawn. If loading fails, an error in its place shows what to do. */

import { Component, type ComponentType, createElement, lazy, type ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { loadPart, MissingPart } from '#state/load-part.ts';
import { APP_NOTES } from '#wording/app-notes.ts';
import { MISSING_PART } from '#wording/failure-words.ts';

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const ask = () => lazy(async () => ({ default: await loadPart(load) }));
  let part = ask();
  return (props) => (
    <PartBoundary
      onAgain={() => {
        part = ask();
      }}
    >
      {() => createElement(part as ComponentType<P>, props)}
    </PartBoundary>
  );
}

interface Props {
  readonly onAgain: () => void;
  readonly children: () => ReactNode;
}

class PartBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { onAgain, children } = this.props;
    if (error === null) return children();
    // A fault of the part itself is left to the outer error boundary.
    if (!(error instanceof MissingPart)) throw error;
    const again = (): void => {
      onAgain();
      this.setState({ error: null });
    };
    return <MissingNote onAgain={again} />;
  }
}

function MissingNote({ onAgain }: { readonly onAgain: () => void }): ReactNode {
  const isLost = useApp(
    ({ session: { kept } }) => kept === 'too-large' || kept === 'refused' || kept === 'secret' || kept === 'forgotten',
  );
  return (
    <div role="alert" className="p-4">
      <p>
        <strong>{MISSING_PART.title}.</strong> {MISSING_PART.detail}.
      </p>
      <p className="text-ink-muted">{isLost ? APP_NOTES.notKept : MISSING_PART.remedy}</p>
      <div className="mt-2 flex gap-2">
        <button type="button" className="control control-framed" onClick={onAgain}>
          Try again
        </button>
        <button type="button" className="control control-framed" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}
