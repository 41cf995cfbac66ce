import type { Change, ChangeKind } from '../change.ts';

/** The bytes of the messages stay; both sides have to know how they are compressed. */
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
