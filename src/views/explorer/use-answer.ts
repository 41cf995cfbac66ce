/** The worker's answers about schemas; requested again when the question or a schema changes. */
import { useEffect, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { AnswerTo, ExplorerQuestion, Params } from '#state/explore.ts';

export interface Answered<Q extends ExplorerQuestion> {
  /** undefined: not yet answered. An older answer stays until the new one arrives. */
  readonly answer: AnswerTo<Q> | undefined;
  /** The answer is stale. */
  readonly isOld: boolean;
  /** The answer is partial. */
  readonly isGrowing: boolean;
}

/**
 * `params` must be plain data, because they are compared as JSON. null: nothing to ask. `about`: an object on which the
 * answer also depends, compared by identity.
 */
export function useAnswer<Q extends ExplorerQuestion>(
  question: Q,
  params: Params<Q> | null,
  about: unknown = null,
): Answered<Q> {
  const { ask } = useActions();
  const schema = useApp(({ session }) => session.schema);
  const bundled = useApp(({ session }) => session.bundled);
  const key = params === null ? null : JSON.stringify(params);
  const [known, setKnown] = useState<{
    readonly key: string;
    readonly of: unknown;
    readonly shipped: unknown;
    readonly about: unknown;
    readonly answer: AnswerTo<Q>;
    readonly isGrowing: boolean;
  } | null>(null);
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    const learn = (answer: AnswerTo<Q>, isGrowing = true): void => {
      if (!stop.signal.aborted) setKnown({ key, of: schema, shipped: bundled, about, answer, isGrowing });
    };
    void ask(question, JSON.parse(key) as Params<Q>, stop.signal, learn).then((found) => {
      if (found) learn(found.answer, false);
    });
    return () => stop.abort();
  }, [ask, question, key, schema, bundled, about]);
  return {
    answer: key === null ? undefined : known?.answer,
    isGrowing: known?.isGrowing ?? false,
    isOld: known?.key !== key || known.of !== schema || known.shipped !== bundled || known.about !== about,
  };
}
