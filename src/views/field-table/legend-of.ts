import { cellsIn, type LedgerCells, type Profile } from '#engine/cost/profile.ts';

/** The categories that occur, so that the legend explains only these. */
export function legendOf({ fields, unattributed, pair }: Profile, compares: boolean) {
  const some = (category: keyof LedgerCells) =>
    compares && fields.some((field) => (cellsIn(field, pair[1])[category] ?? 0) > 0);
  return [
    'tag' as const,
    ...(some('flag') ? ['flag' as const] : []),
    ...(some('type') ? ['type' as const] : []),
    ...(some('count') ? ['count' as const] : []),
    'length' as const,
    'value' as const,
    ...(unattributed > 0 ? ['unattributed' as const] : []),
  ];
}
