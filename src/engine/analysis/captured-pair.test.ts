/** Messages that came in JSON, compared with protobuf by default, or with the encoding that is chosen. */
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compareProfile } from '../cost/compare.ts';
import { ledgerOf } from '../cost/encoding-ledger.ts';
import { capturedLedger, totalIn } from '../cost/profile.ts';
import { profileById } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { loadAgainst } from './against.ts';
import { type AnalyzeRequest, analyze } from './analyze.ts';

const SCHEMA = `syntax = "proto3"; package t;
message Shop { string name = 1; repeated Item items = 2; }
message Item { string id = 1; int64 size = 2; bool sold = 3; }`;
const TEXT = `{"name": "corner \\"shop\\"", "items": [{"id": "a-1", "size": "12", "sold": true}, {"id": "b-2", "size": "7"}], "extra": 1}`;

const { registry } = compileSchema([{ path: 't.proto', content: SCHEMA }]);
const bytes = new TextEncoder().encode(TEXT);

async function profileOf(request: AnalyzeRequest) {
  const { profiles } = await analyze(
    bytesSource('x', bytes),
    {},
    { registry, type: registry.messages.get('t.Shop'), ...request },
  );
  return profiles[0]!;
}

test.each([
  ['nothing is chosen', {}, ['protobuf', 'captured-json'], 'JSON'],
  ['an encoding is chosen', { against: 'msgpack-named' }, ['captured-json', 'msgpack-named'], 'MessagePack by name'],
  ['an encoding without names', { against: 'thrift-compact' }, ['captured-json', 'thrift-compact'], 'Thrift compact'],
  ['a native profile', { nativeProfile: profileById('avro') }, ['captured-json', 'avro'], 'Avro binary'],
] as const)('%s', async (_, choice, pair, label) => {
  const against = 'against' in choice ? await loadAgainst(choice.against) : undefined;
  const profile = await profileOf({ ...choice, against });
  expect([profile.pair, profile.other?.label]).toEqual([pair, label]);
  expect(capturedLedger(profile)).toBe('captured-json');
  expect(totalIn(profile, 'captured-json')).toBe(bytes.length);
  for (const id of pair) {
    const { fields, bytes: total } = ledgerOf(profile, id)!;
    const sum = Object.values(fields).flatMap((cells) => Object.values(cells));
    expect(sum.reduce((all, own) => all + own, 0)).toBe(total);
  }
  const causes = compareProfile(profile).reduce((sum, { bytes: own }) => sum + own, 0);
  expect(causes).toBe(totalIn(profile, pair[0]) - totalIn(profile, pair[1]));
  expect(profile.fields.map(({ path }) => path)).toContain('items.sold');
});
