/** The bytes of messages in an Any that both encodings of a comparison have as protobuf. */
import { expect, test } from 'vitest';
import { bytesAlone } from '../cost/compare.ts';
import { bytesInAny, keptInAny, unreadInAny } from '../cost/in-any.ts';
import { EncodingLedgers } from '../cost/ledger-collector.ts';
import { withOtherSide } from '../cost/other-side.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { ENCODINGS } from './encodings.ts';

const { registry } = compileSchema([
  {
    path: 'held.proto',
    content: `syntax = "proto3"; package held; import "google/protobuf/any.proto";
      message Box { repeated google.protobuf.Any many = 1; Item item = 2; } message Item { int32 n = 1; string s = 2; }`,
  },
]);
const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
const ITEM = [8, 5, 18, 3, 0x61, 0x62, 0x63];
const anyOf = (type: string, value: readonly number[]) =>
  prefixed(10, [...prefixed(10, Buffer.from(`/held.${type}`)), ...prefixed(18, value)]);
/** An item, another one in an Any in an Any, one of a type that the schema does not have, and one that is not in an Any. */
const INNER = anyOf('Item', ITEM);
const MESSAGE = Uint8Array.from([
  ...[...anyOf('Item', ITEM), ...anyOf('Box', INNER), ...anyOf('Unknown', ITEM), ...prefixed(18, ITEM)],
]);
const KEPT = ITEM.length + INNER.length;
const BOX = registry.messages.get('held.Box')!;

const ledgersWith = (profile: (typeof NATIVE_PROFILES)[number] | null) => {
  const ledgers = new Ledgers(BOX, profile);
  ledgers.add(MESSAGE);
  return ledgers.profile();
};

test.each(NATIVE_PROFILES)('$id', (profile) => expect(keptInAny(ledgersWith(profile))).toBe(KEPT));

test('in protobuf alone, and none where no Any is', () => {
  expect(bytesInAny(ledgersWith(null))).toBe(KEPT);
  expect(unreadInAny(ledgersWith(null))).toBe(ITEM.length);
  const plain = new Ledgers(registry.messages.get('held.Item'), null);
  plain.add(Uint8Array.from(ITEM));
  expect([bytesInAny(plain.profile()), unreadInAny(plain.profile())]).toEqual([0, 0]);
});

test('no other side', () => expect(keptInAny(ledgersWith(null))).toBe(0));

/** They write the messages out. */
const TEXTS: readonly string[] = ['json', 'json-proto-names', 'txtpb'];

test.each(ENCODINGS.filter(({ isFor }) => isFor === undefined))('$id', (row) => {
  const ledgers = new EncodingLedgers(BOX, [row]);
  ledgers.add(MESSAGE);
  const other = { label: row.label, isCaptured: false, isAlone: false };
  const compared = withOtherSide(ledgersWith(null), row.id, other, ledgers.ledgers()[row.id], { others: {} });
  expect(keptInAny(compared)).toBe(TEXTS.includes(row.id) ? 0 : KEPT);
  // Texts write the contents out without a tag and a length of their own.
  expect(bytesAlone(compared)).toEqual([0, 0]);
});
