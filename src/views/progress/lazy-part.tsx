/** A component that is loaded when it is first drawn. If loading fails, an error in its place shows what to do. */

import { Component, type ComponentType, createElement, lazy, type ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { loadPart, MissingPart } from '#state/load-part.ts';
import { APP_NOTES } from '#wording/app-notes.ts';
import { MISSING_PART } from '#wording/failure-words.ts';

export type LazyPart<P> = ComponentType<P> & {
  /** Loads it before it is drawn. A failure is shown when it is drawn. */
  readonly prepare: () => Promise<void>;
  readonly isLoaded: () => boolean;
};

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  const get = async (): Promise<ComponentType<P>> => {
    loaded = await loadPart(load);
    return loaded;
  };
  const ask = () => lazy(async () => ({ default: await get() }));
  let part = ask();
  const draw = (props: P): ReactNode => (
    <PartBoundary
      loaded={loaded as ComponentType<never> | null}
      onAgain={() => {
        part = ask();
      }}
    >
      {(first) => createElement((first ?? part) as ComponentType<P>, props)}
    </PartBoundary>
  );
  return Object.assign(draw, {
    prepare: () =>
      get().then(
        () => {},
        () => {},
      ),
    isLoaded: () => loaded !== null,
  });
}

interface Props {
  /** Its component, if it was loaded before it was first drawn. It is kept as long as it is on the page. */
  readonly loaded: ComponentType<never> | null;
  readonly onAgain: () => void;
  readonly children: (first: ComponentType<never> | null) => ReactNode;
}

class PartBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };
  readonly first = this.props.loaded;

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { onAgain, children } = this.props;
    if (error === null) return children(this.first);
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
  const isLost = useApp(({ session: { kept } }) => kept !== null && kept !== 'kept');
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
