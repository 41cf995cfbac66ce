/**
 * Names of the two sides of a profile: first: protobuf or the captured encoding; second: native or the chosen encoding.
 */
import { ledgerOf } from '#engine/cost/encoding-ledger.ts';
import { capturedLedger, PROTOBUF, type Profile } from '#engine/cost/profile.ts';

type Sided = Pick<Profile, 'other'>;
type First = Pick<Profile, 'pair' | 'ledgers' | 'nativeLedger'>;

/** In a sentence: `native`, `JSON`. */
export const sideName = ({ other }: Sided): string => other?.label ?? 'native';

/** The first side in a sentence: `protobuf`, `JSON`. */
export function firstName({ pair: [first], ledgers, nativeLedger }: First): string {
  if (first === PROTOBUF) return 'protobuf';
  return first === nativeLedger ? 'native' : (ledgers[first]?.label ?? first);
}

/** Both sides in a sentence. */
export const sideNames = (profile: First & Sided): readonly [string, string] => [firstName(profile), sideName(profile)];

/** The sides that have bytes, with their names: JSON that fits no type has none in protobuf. */
export function sidesWithBytes(profile: First & Sided): readonly { readonly id: string; readonly name: string }[] {
  const [first, second] = profile.pair;
  return [
    ...(profile.other?.isAlone ? [] : [{ id: first, name: firstName(profile) }]),
    ...(second === null ? [] : [{ id: second, name: sideName(profile) }]),
  ];
}

/** The first side as a column title or at the beginning of a sentence: `Protobuf`, `JSON`. */
export const firstTitle = (profile: First): string => {
  const name = firstName(profile);
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** As a column title: `Native`, `JSON`. */
export const sideTitle = ({ other }: Sided): string => other?.label ?? 'Native';

/** `JSON`, `protobuf`, `the native encoding`: of the ledger, or else of the captured one. */
export function encodingName(profile: Profile, id = capturedLedger(profile)): string {
  if (id === PROTOBUF) return PROTOBUF;
  return id === profile.nativeLedger ? 'the native encoding' : (ledgerOf(profile, id)?.label ?? id);
}
