/** Messages that were captured as text, compared with protobuf by default, or with the encoding that is chosen. */
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compareProfile } from '../cost/compare.ts';
import { ledgerOf } from '../cost/encoding-ledger.ts';
import { capturedLedger, totalIn } from '../cost/profile.ts';
import { NATIVE_PROFILES, profileById } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { loadAgainst } from './against.ts';
import { type AnalyzeRequest, analyze } from './analyze.ts';

const SCHEMA = `syntax = "proto3"; package t;
message Shop { string name = 1; repeated Item items = 2; }
message Item { string id = 1; int64 size = 2; bool sold = 3; }`;
const TEXT = `{"name": "corner \\"shop\\"", "items": [{"id": "a-1", "size": "12", "sold": true}, {"id": "b-2", "size": "7"}], "extra": 1}`;

const { registry } = compileSchema([{ path: 't.proto', content: SCHEMA }]);
const PROTOTEXT = `name: "corner \\"shop\\"" # by the sea
items { id: "a-1" size: 12 sold: true } items { id: "b-2" size: 7 } extra: 1`;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function profileOf(bytes: Uint8Array, request: AnalyzeRequest) {
  const { profiles } = await analyze(
    bytesSource('x', bytes),
    {},
    { registry, type: registry.messages.get('t.Shop'), ...request },
  );
  return profiles[0]!;
}

describe.each([
  ['JSON', TEXT, 'captured-json'],
  ['Textproto', PROTOTEXT, 'captured-txtpb'],
])('%s', (captured, text, row) => {
  const bytes = bytesOf(text);

  test.each([
    ['nothing is chosen', {}, ['protobuf', row], captured],
    ['an encoding is chosen', { against: 'msgpack-named' }, [row, 'msgpack-named'], 'MessagePack by name'],
    ['an encoding without names', { against: 'thrift-compact' }, [row, 'thrift-compact'], 'Thrift compact'],
    ['a native profile', { nativeProfile: profileById('avro') }, [row, 'avro'], 'Avro binary'],
    [
      'the first one',
      { nativeProfile: profileById('opensearch') },
      [row, 'opensearch'],
      'OpenSearch as usually written',
    ],
    ['the layout', { nativeProfile: profileById('laid-out') }, [row, 'laid-out'], 'As laid out by the schema'],
  ] as const)('%s', async (_, choice, pair, label) => {
    const against = 'against' in choice ? await loadAgainst(choice.against) : undefined;
    const profile = await profileOf(bytes, { ...choice, against });
    expect([profile.pair, profile.other?.label]).toEqual([pair, label]);
    expect(capturedLedger(profile)).toBe(row);
    expect(totalIn(profile, row)).toBe(bytes.length);
    for (const id of pair) {
      const { fields, bytes: total } = ledgerOf(profile, id)!;
      const sum = Object.values(fields).flatMap((cells) => Object.values(cells));
      expect(sum.reduce((all, own) => all + own, 0)).toBe(total);
    }
    const causes = compareProfile(profile).reduce((sum, { bytes: own }) => sum + own, 0);
    expect(causes).toBe(totalIn(profile, pair[0]) - totalIn(profile, pair[1]));
    expect(profile.fields.map(({ path }) => path)).toContain('items.sold');
  });

  test('its type is decided by its names and values', async () => {
    const known = bytesOf(text.replace(/,? "?extra"?: 1/, ''));
    expect(await profileOf(known, { type: undefined })).toMatchObject({ type: 't.Shop' });
  });
});

const NUMBERS = compileSchema([
  {
    path: 'n.proto',
    content: 'syntax = "proto3"; package n; message N { repeated double d = 1; repeated uint64 u = 2; uint32 v = 3; }',
  },
]).registry;

test.each([
  ['borsh', 'Borsh: NaN is refused: 2.'],
  ['avro', 'Avro binary: large unsigned values are written as negative ones of the same bits: 1.'],
  ['bson', 'BSON: large unsigned values are written as negative ones of the same bits: 1.'],
  ['thrift-compact', 'Thrift compact: large unsigned values are written as negative ones of the same bits: 2.'],
  ['opensearch-tuned', 'OpenSearch tuned: values from 2⁶³ on have no VLong (OpenSearch refuses to write them): 1.'],
  ['msgpack-named', undefined],
])('what %s cannot carry is a finding with a count', async (id, message) => {
  const nan = '000000000000f87f';
  // u: 5, 2⁶³ − 1, 2⁶³; v: 2³¹.
  const bytes = Uint8Array.from(
    Buffer.from(`0a10${nan}${nan}121405ffffffffffffffff7f80808080808080808001188080808008`, 'hex'),
  );
  const against = await loadAgainst(id);
  const chosen = NATIVE_PROFILES.find((profile) => profile.id === id);
  const request = { registry: NUMBERS, type: NUMBERS.messages.get('n.N') };
  const { diagnostics } = await analyze(
    bytesSource('x', bytes),
    {},
    { ...request, ...(chosen ? { nativeProfile: chosen } : { against }) },
  );
  const losses = diagnostics.filter(({ code }) => code === 'encoding/loss').map((found) => found.message);
  expect(losses).toEqual(message === undefined ? [] : [message]);
});

const TEXTS = compileSchema([
  {
    path: 'x.proto',
    content: `syntax = "proto2"; package x; extend M { optional string e = 100; }
      message M { optional string a = 1; repeated string b = 2; extensions 100 to 200; }`,
  },
]).registry;

test.each(NATIVE_PROFILES)(
  'a text that is not UTF-8 and an extension are lost in $id, and counted',
  async (profile) => {
    // Three texts, of which two are not UTF-8, and an extension.
    const bytes = Uint8Array.from(Buffer.from('0a01ff 1202c328 1203efbfbd a20601ff'.replaceAll(' ', ''), 'hex'));
    const request = { registry: TEXTS, type: TEXTS.messages.get('x.M'), nativeProfile: profile };
    const { profiles, diagnostics } = await analyze(bytesSource('x', bytes), {}, request);
    const losses = ['text that is not UTF-8 is replaced by U+FFFD: 2', 'extensions have no position: 1'];
    expect(profiles[0]!.ledgers[profile.id]!.losses).toEqual(losses);
    expect(diagnostics.filter(({ code }) => code === 'encoding/loss').map((found) => found.message)).toEqual(
      losses.map((loss) => `${profile.label}: ${loss}.`),
    );
  },
);
