/** The categories that occur in the shown ledgers, so that the legend explains only these. */
import { LEDGER_ORDER } from '#engine/cost/ledger-segments.ts';
import { capturedLedger, cellsIn, type Profile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';

/** @param drawsContainer whether bars show the container of compressed streams, as a header */
export function legendOf(profile: Profile, compares: boolean, drawsContainer = false): readonly Category[] {
  const { fields, unattributed, pair } = profile;
  const shown = compares ? pair : [capturedLedger(profile)];
  const has = (category: Category) =>
    shown.some((id) => fields.some((field) => (cellsIn(field, id)[category] ?? 0) > 0)) ||
    (category === 'header' && drawsContainer) ||
    (category === 'unattributed' && unattributed > 0 && shown.includes(pair[0]));
  return LEDGER_ORDER.filter(has);
}
