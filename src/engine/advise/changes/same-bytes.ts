import type { Change, ChangeKind } from '../change.ts';

/** Changes that keep the bytes of messages, but both sides have to know the compression. */
export const sameBytes = <C extends Change>(
  text: (change: C) => string,
  link: string,
  effort: ReturnType<ChangeKind<C>['effort']>,
): ChangeKind<C> => ({
  alter: (_, forms) => forms,
  touches: () => [],
  compatibility: (change) => ({
    binary: 'conditional',
    json: 'safe',
    source: 'safe',
    reasons: [{ about: 'binary', text: text(change), link }],
  }),
  effort: () => effort,
});
