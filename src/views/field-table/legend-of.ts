/** The categories that occur in the shown ledgers, so that the legend explains only these. */
import { LEDGER_ORDER } from '#engine/cost/ledger-segments.ts';
import { capturedLedger, cellsIn, type Profile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';

export function legendOf(profile: Profile, compares: boolean): readonly Category[] {
  const { fields, unattributed, pair } = profile;
  const shown = compares ? pair : [capturedLedger(profile)];
  const has = (category: Category) =>
    shown.some((id) => fields.some((field) => (cellsIn(field, id)[category] ?? 0) > 0)) ||
    (category === 'unattributed' && unattributed > 0 && shown.includes(pair[0]));
  return LEDGER_ORDER.filter(has);
}
