import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { classifyType, explainRank, TypeClassifier } from './classify-type.ts';
import type { EvidenceId } from './type-evidence.ts';
import { TypeReading } from './type-reading.ts';

const { registry } = compileSchema([
  {
    path: 'a.proto',
    content: `syntax = "proto3"; package a;
      message Shop { string name = 1; repeated Item items = 2; int64 founded = 3; bool open = 4; Kind kind = 5; }
      message Item { string label = 1; double price = 2; repeated int32 sizes = 3; oneof id { string code = 4; int32 number = 5; } }
      enum Kind { NONE = 0; BAKERY = 1; BOOKS = 2; }
      message Log { repeated Record records = 1; }
      message Record { fixed64 time = 1; bytes body = 2; uint32 flags = 3; float weight = 4; }
      message Runs { repeated sint64 first = 1; repeated int64 second = 2; bytes rest = 3; }
      message Texts { string a = 1; string b = 2; string c = 3; string d = 4; }
      message Blobs { bytes a = 1; bytes b = 2; }`,
  },
  {
    path: 'b.proto',
    content: 'syntax = "proto2"; package b; message Must { required string a = 1; optional int32 b = 2; }',
  },
]);
/** Types that hold messages of other types. */
const { registry: holders } = compileSchema([
  {
    path: 'c.proto',
    content: `syntax = "proto3"; package c; import "google/protobuf/any.proto";
      message Pair { Named named = 1; } message Named { string name = 1; bytes contents = 2; }
      message Wrap { google.protobuf.Any any = 1; }`,
  },
  {
    path: 'ms.proto',
    content: readFileSync(new URL('../../../../fixtures/schema/message-set.proto', import.meta.url), 'utf8'),
  },
]);
/** Types with groups, and with lists of all kinds. */
const { registry: lists } = compileSchema([
  {
    path: 'd.proto',
    content: `syntax = "proto2"; package d;
      message Held { optional group One = 1 { optional int32 a = 1; } optional int32 b = 2; }
      message Lists { repeated double sizes = 1 [packed = true]; repeated float parts = 2 [packed = true];
        repeated fixed32 ids = 3 [packed = true]; repeated Kind kinds = 4 [packed = true]; repeated int32 plain = 5; }
      enum Kind { NONE = 0; SOME = 1; ALL = 2; }`,
  },
]);
const typeOf = (name: string) =>
  [registry, holders, lists].map(({ messages }) => messages.get(name)).find((type) => type !== undefined)!;
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const text = (tag: string, value: string): string =>
  `${tag}${value.length.toString(16).padStart(2, '0')}${Buffer.from(value).toString('hex')}`;
const within = (tag: string, hex: string): string => `${tag}${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const price = (value: number): string => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return `11${Buffer.from(view.buffer).toString('hex')}`;
};
const weight = (value: number): string => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value, true);
  return `25${Buffer.from(view.buffer).toString('hex')}`;
};
/** A run of usual floats, and one of 1e-40. */
const floats = (usual: number): string => within('12', `${weight(2.5).slice(2).repeat(usual)}c8160100`);
const item = (label: string, value: number): string => text('0a', label) + price(value);
const shop = (name: string): Uint8Array =>
  bytes(`${text('0a', name)}${within('12', item('bread', 3.5))}${within('12', item('roll', 0.4))}18 cf0f 20 01 28 01`);
const SHOPS = ['Moss', 'Lind', 'Ahorn'].map(shop);

/** The evidence of one message against a type. */
const against = (type: string, hex: string, isCut = false): Partial<Record<EvidenceId, number>> => {
  const reading = new TypeReading(typeOf(type));
  reading.add(bytes(hex), isCut);
  return reading.weigh().found;
};

describe('evidence against a type', () => {
  test.each([
    ['nothing', 'a.Shop', Buffer.from(SHOPS[0]!).toString('hex'), {}],
    ['a number that it does not have', 'a.Shop', '48 01', { unknown: 1 }],
    ['an unknown group', 'a.Shop', '4b 08 01 4c', { unknown: 1 }],
    ['a wire type that does not fit', 'a.Shop', '08 01', { mismatch: 1 }],
    ['a submessage that cannot be read', 'a.Shop', '12 03 0a 09 61', { malformed: 1 }],
    ['a singular field again', 'a.Shop', text('0a', 'x') + text('0a', 'y'), { repeated: 1 }],
    ['a second member of a oneof', 'a.Item', `${text('22', 'x')}28 01`, { oneof: 1 }],
    ['a required field that is not there', 'b.Must', '10 01', { required: 1 }],
    ['text that is not UTF-8', 'a.Shop', '0a 02 c3 28', { notUtf8: 1 }],
    ['text with control characters', 'a.Shop', '0a 02 00 01', { control: 1 }],
    ['a bool that is two', 'a.Shop', '20 02', { outOfRange: 1 }],
    ['a uint32 above its range', 'a.Record', '18 8080808010', { outOfRange: 1 }],
    ['an overlong number', 'a.Shop', '18 8100', { overlong: 1 }],
    ['a number that its enum does not have', 'a.Shop', '28 07', { unknownEnum: 1 }],
    ['a zero that encoders leave out', 'a.Shop', '18 00', { writtenDefault: 1 }],
    ['a float of 1e-40', 'a.Record', '25 c8 16 01 00', { oddFloat: 1 }],
    ['nothing: a double of 2 to the power of 100', 'a.Item', price(2 ** 100), {}],
    ['a double above the usual range', 'a.Item', price(2 ** 101), { oddFloat: 1 }],
    ['nothing: a double of 2 to the power of -100', 'a.Item', price(-(2 ** -100)), {}],
    ['a double below the usual range', 'a.Item', price(2 ** -101), { oddFloat: 1 }],
    ['nothing: an infinite double', 'a.Item', price(-Infinity), {}],
    ['nothing: a double that is not a number', 'a.Item', price(Number.NaN), {}],
    ['nothing: a float of 2 to the power of 100', 'a.Record', weight(-(2 ** 100)), {}],
    ['a float above the usual range', 'a.Record', weight(2 ** 101), { oddFloat: 1 }],
    ['nothing: a float of 2 to the power of -100', 'a.Record', weight(2 ** -100), {}],
    ['a float below the usual range', 'a.Record', weight(2 ** -101), { oddFloat: 1 }],
    ['nothing: an infinite float', 'a.Record', weight(Infinity), {}],
    ['nothing: a float that is not a number', 'a.Record', weight(Number.NaN), {}],
    ['nothing: the largest uint32', 'a.Record', '18 ffffffff0f', {}],
    ['nothing: −1 in ten bytes', 'a.Item', '28 ffffffffffffffffff01', {}],
    ['nothing: −1 in five bytes', 'a.Item', '28 ffffffff0f', {}],
    ['an int32 above its range', 'a.Item', '28 8080808010', { outOfRange: 1 }],
    ['an int32 below its range', 'a.Item', '28 8080808070', { outOfRange: 1 }],
    ['nothing: an int64 of 2 to the power of 32', 'a.Shop', '18 8080808010', {}],
    ['a bool of 2 to the power of 32', 'a.Shop', '20 8080808010', { outOfRange: 1 }],
    ['a negative number that its enum does not have', 'a.Shop', '28 ffffffffffffffffff01', { unknownEnum: 1 }],
    ['a zero double that encoders leave out', 'a.Item', price(0), { writtenDefault: 1 }],
    ['nothing: zero as a member of a oneof', 'a.Item', '28 00', {}],
    ['nothing: zero in a field with presence', 'd.Held', '10 00', {}],
    ['an empty text', 'a.Shop', '0a 00', { writtenDefault: 1 }],
    ['empty bytes', 'a.Blobs', '0a 00', { writtenDefault: 1 }],
    ['nothing: an empty text as a member of a oneof', 'a.Item', '22 00', {}],
    ['nothing: one of 50 elements is overlong', 'a.Runs', within('0a', `${'01'.repeat(49)}8100`), {}],
    ['one of 49 elements is overlong', 'a.Runs', within('0a', `${'01'.repeat(48)}8100`), { oddRun: 1 }],
    ['a run with an int32 above its range', 'a.Item', '1a 05 8080808010', { oddRun: 1 }],
    ['nothing: a run with an int64 above the range of an int32', 'a.Runs', '12 05 8080808010', {}],
    ['nothing: eleven characters in a run', 'a.Runs', text('0a', 'iiiiiiiiiii'), {}],
    ['twelve characters in a run', 'a.Runs', text('0a', 'iiiiiiiiiiii'), { textInRun: 1 }],
    ['nothing: twelve bytes in a run, one of them not a character', 'a.Runs', text('0a', 'iiiiiiiiiii\x7f'), {}],
    ['nothing: a run that reads as a single text', 'a.Runs', within('0a', text('0a', 'name')), {}],
    ['a message in a run', 'a.Runs', within('0a', `${text('0a', 'ab')}1001`), { textInRun: 1 }],
    ['nothing: a run of doubles', 'd.Lists', within('0a', price(3).slice(2) + price(0.5).slice(2)), {}],
    ['a run that ends within a double', 'd.Lists', within('0a', `${price(3).slice(2)}0000`), { oddRun: 1 }],
    ['nothing: one of ten floats is improbable', 'd.Lists', floats(9), {}],
    ['one of nine floats is improbable', 'd.Lists', floats(8), { oddFloat: 1 }],
    ['nothing: any numbers of fixed width', 'd.Lists', within('1a', 'ffffff7f01000000'), {}],
    ['numbers in a run that their enum does not have', 'd.Lists', '22 03 010709', { unknownEnum: 1 }],
    ['nothing: numbers in a run that their enum has', 'd.Lists', '22 03 000102', {}],
    ['elements in a run', 'd.Lists', '2a 02 0102', { otherForm: 1 }],
    ['nothing: elements written one by one', 'd.Lists', '28 01 28 02', {}],
    ['a group where the type has a text', 'a.Shop', '0b 18 01 0c 18 05', { mismatch: 1 }],
    ['nothing: a group', 'd.Held', '10 01 0b 08 01 0c', {}],
    ['an unknown number in a group', 'd.Held', '10 01 0b 10 01 0c', { unknown: 1 }],
    ['two runs of a packed field', 'a.Item', '1a 02 01 02 1a 01 03', { severalRuns: 1 }],
    ['a run of overlong elements', 'a.Runs', '12 04 8000 8000', { oddRun: 1 }],
    ['a run that ends within an element', 'a.Runs', '12 02 01 80', { oddRun: 1 }],
    ['a text in a run', 'a.Runs', text('0a', 'container_cpu_usage'), { textInRun: 1 }],
    [
      'a message in a bytes field',
      'a.Blobs',
      within('0a', text('0a', 'name') + text('12', 'value')),
      { heldMessage: 1 },
    ],
    ['elements written one by one', 'a.Item', '18 01 18 02', { otherForm: 2 }],
    [
      'nothing: a message in an Any',
      'c.Wrap',
      within('0a', text('0a', 'a/b.C') + within('12', item('bread', 3.5))),
      {},
    ],
    [
      'an unknown number in a message of the type that an Any names',
      'c.Wrap',
      within('0a', text('0a', 'a/c.Named') + within('12', '4801')),
      { unknown: 1 },
    ],
    [
      'nothing: an Any whose message cannot be read as the type that it names',
      'c.Wrap',
      within('0a', text('0a', 'a/c.Pair') + within('12', '0a09')),
      {},
    ],
    ['an Any whose type URL names no type', 'c.Wrap', within('0a', text('0a', 'two words')), { typeUrl: 1 }],
    ['nothing: an Any as Cosmos writes it', 'c.Wrap', within('0a', text('0a', '/cosmos.bank.v1beta1.MsgSend')), {}],
    ['nothing: two items of a message set', 'ms.Set', '0b 10e807 1a020801 0c 0b 10808c8d9e02 1a0408010802 0c', {}],
    ['an item twice', 'ms.Set', '0b 10e807 1a020801 0c 0b 10e807 1a020802 0c', { repeated: 1 }],
    ['an item of another extension', 'ms.Set', '0b 10e907 1a020801 0c', { unknown: 1 }],
  ] as const)('%s', (_name, type, hex, found) => {
    expect(against(type, hex)).toEqual(found);
  });

  test.each([
    ['a text cut within a character', 'a.Shop', '0a 09 61 c3'],
    ['a submessage cut within a length', 'a.Shop', '12 20 0a'],
    ['a run cut within an element', 'a.Runs', '12 20 01 80'],
    ['a required field behind the cut', 'b.Must', '10 01'],
  ])('a cut is not evidence: %s', (_name, type, hex) => {
    expect(against(type, hex, true)).toEqual({});
  });

  test.each([
    ['no bytes', 'a.Shop', '', 0],
    ['all bytes', 'a.Shop', Buffer.from(SHOPS[0]!).toString('hex'), 1],
    ['a number that it does not have', 'a.Shop', `${text('0a', 'x')}4801`, 3 / 5],
    ['an unknown group', 'a.Shop', `${text('0a', 'x')}4b 08 01 4c 20 01`, 5 / 9],
    ['a number that it does not have, in a submessage', 'a.Shop', within('12', `${text('0a', 'x')}4801`), 5 / 7],
    ['the head of a submessage that cannot be read', 'a.Shop', '12 03 0a 09 61', 2 / 5],
    ['the tag of a bool that is two', 'a.Shop', '20 02', 1 / 2],
    ['the head of a text that is not UTF-8', 'a.Shop', '0a 02 c3 28', 2 / 4],
    ['a number that its enum does not have', 'a.Shop', '28 07', 1],
    ['the tag of a field of another wire type', 'a.Shop', '08 01 20 01', 2 / 4],
    ['a text that the capture cut', 'a.Shop', '20 01 0a 05 61', 1],
    ['a length that the capture cut', 'a.Shop', '20 01 0a', 1],
    ['a group', 'd.Held', '10 01 0b 08 01 0c', 1],
    ['a number that it does not have, in a group', 'd.Held', '10 01 0b 10 01 0c', 4 / 6],
    ['a group that does not end', 'd.Held', '10 01 0b 08 01', 2 / 5],
    ['an end without a group', 'd.Held', '10 01 0c 10 01', 2 / 5],
  ])('the share of the bytes that a type explains: %s', (_name, type, hex, share) => {
    const reading = new TypeReading(typeOf(type));
    reading.add(bytes(hex), false);
    expect(reading.share).toBeCloseTo(share, 10);
  });

  test('a message that ends too early counts as cut', () => {
    const whole = Buffer.from(SHOPS[0]!).toString('hex');
    for (let end = 2; end < whole.length; end += 2) expect(against('a.Shop', whole.slice(0, end))).toEqual({});
  });

  test('reading ends for any bytes', () => {
    let state = 7;
    const random = (): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return state >>> 16;
    };
    for (let n = 0; n < 300; n++) {
      const noise = Uint8Array.from({ length: random() % 60 }, () => random());
      const { ranking } = classifyType([{ registry }], [noise]);
      for (const { share } of ranking) expect(share).toBeLessThanOrEqual(1);
    }
  });
});

describe('a type is asserted', () => {
  const verdictOf = (messages: readonly Uint8Array[]) => {
    const { verdict, type, ranking } = classifyType([{ registry }], messages);
    return [verdict, type?.fullName, ranking[0]?.type.name];
  };

  test('if the messages are evidence for it', () => {
    expect(verdictOf(SHOPS)).toEqual(['asserted', 'a.Shop', 'Shop']);
  });

  test.each([
    ['a text, which many types have', [bytes(text('0a', 'hello'))], 'alike'],
    ['no bytes, which every type has', [bytes('')], 'short'],
    ['bytes that are not a message', [bytes('ff ff ff')], 'none'],
    ['numbers that none has', [bytes('f8 07 01 f0 07 02')], 'none'],
  ])('not for %s', (_name, messages, verdict) => {
    expect(verdictOf(messages)[0]).toBe(verdict);
  });

  test.each([
    ['a message of few bytes', 5, 'short'],
    ['a large message whose bytes prove little', 100_000, 'unproven'],
  ])('not for %s, and the verdict says which it is', (_name, length, verdict) => {
    const others = Array.from({ length: 30 }, (_, n) => `message M${n} { int32 a = ${50 + n}; }`);
    const content = `syntax = "proto3"; package w; message Blob { bytes blob = 1; } ${others.join(' ')}`;
    const many = compileSchema([{ path: 'w.proto', content }]).registry;
    // The length as a varint of three bytes.
    const size = [(length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14];
    const message = Uint8Array.from([0x0a, ...size, ...new Uint8Array(length).fill(0xff)]);
    const found = classifyType([{ registry: many }], [message]);
    expect(found).toMatchObject({ verdict, ranking: [{ type: { name: 'Blob' } }] });
  });

  test('a message that occurs again is not evidence again', () => {
    const bitsOf = (messages: readonly Uint8Array[]) => classifyType([{ registry }], messages).ranking[0]!.bits;
    expect(bitsOf(Array(20).fill(SHOPS[0]))).toBe(bitsOf(SHOPS.slice(0, 1)));
    expect(bitsOf(SHOPS)).toBeGreaterThan(bitsOf(SHOPS.slice(0, 1)));
  });

  test('a type URL is better evidence for an Any than for another text before bytes', () => {
    const any = bytes(within('0a', text('0a', 'type.example/a.B') + within('12', '0801')));
    const [first, second] = classifyType([{ registry: holders }], [any]).ranking;
    expect([first!.type.name, second!.type.name]).toEqual(['Wrap', 'Pair']);
    expect(first!.bits - second!.bits).toBeGreaterThan(3);
  });

  test('the message in an Any is evidence, if a schema has its type', () => {
    const held = within('12', text('0a', 'oven') + within('12', '0801'));
    const [known, other] = ['c.Named', 'c.Other'].map((name) => bytes(within('0a', text('0a', `x/${name}`) + held)));
    const bitsOf = (message: Uint8Array) => classifyType([{ registry: holders }], [message]).ranking[0]!.bits;
    expect(bitsOf(known!) - bitsOf(other!)).toBeGreaterThan(2);
    const unknown = new TypeReading(typeOf('c.Wrap'));
    unknown.add(bytes(within('0a', text('0a', 'x/c.Named') + within('12', '4801'))), false);
    expect(unknown.share).toBeCloseTo(15 / 17);
    const cut = new TypeReading(typeOf('c.Wrap'));
    cut.add(known!.subarray(0, -3), true);
    expect(cut.weigh()).toMatchObject({ against: 0, found: {} });
  });

  test('a type whose only evidence is weak fits, however much its runs leave open', () => {
    const runs = compileSchema([
      {
        path: 'r.proto',
        content: `syntax = "proto3"; message Runs { repeated uint64 a = 1; } ${'abcdefghi'.replace(/./g, (n) => `message M${n} { string a = 2; } `)}`,
      },
    ]).registry;
    const found = classifyType([{ registry: runs }], [bytes(within('0a', '8001ff0280018103'.repeat(12)))]);
    expect(found).toMatchObject({ verdict: 'unproven', ranking: [{ type: { name: 'Runs' }, found: {} }] });
  });

  test('a type is found among many of which the first messages are, too', () => {
    const alike = Array.from({ length: 60 }, (_, n) => `message A${n} { string name = 1; int32 n = ${n + 10}; }`);
    const content = `syntax = "proto3"; message Z { string name = 1; double price = 2; } ${alike.join(' ')}`;
    const many = compileSchema([{ path: 'z.proto', content }]).registry;
    const names = Array.from({ length: 20 }, (_, n) => bytes(text('0a', `name ${n}`)));
    const found = classifyType([{ registry: many }], [...names, bytes(item('bread', 3.5))]);
    expect(found.ranking[0]).toMatchObject({ type: { name: 'Z' }, share: 1 });
  });

  test('packed runs prove nothing, because they take any bytes', () => {
    const series = within('0a', within('0a', text('0a', 'job') + text('12', 'node')) + within('12', price(3)));
    const { type, ranking } = classifyType([{ registry }], [bytes(series.repeat(40))]);
    expect(type).toBeUndefined();
    const runs = ranking.find(({ type: { name } }) => name === 'Runs')!;
    expect(explainRank(runs)).toContain('39 packed fields in several runs');
  });

  test('a cut sample gives the evidence that it holds', () => {
    const classifier = new TypeClassifier([{ registry }]);
    const large = within('12', item('bread', 3.5)).repeat(60_000);
    classifier.sample.add(bytes(`${text('0a', 'Moss')}${large}18 cf0f`));
    const { type, ranking } = classifier.classify();
    expect([type?.name, ranking[0]!.share]).toEqual(['Shop', 1]);
  });
});

describe('equal types', () => {
  const compile = (content: string) =>
    compileSchema([{ path: 'x.proto', content: `syntax = "proto3"; ${content}` }]).registry;
  const SHOP =
    'string name = 1; repeated Item items = 2; int64 founded = 3; bool open = 4; int32 kind = 5; } message Item { string label = 1; double price = 2;';

  test('no type is asserted', () => {
    const { verdict, type, twins } = classifyType(
      [
        {
          registry: compile(
            `message A { ${SHOP} } message B { string name = 1; repeated Item items = 2; int64 founded = 3; bool open = 4; int32 kind = 5; }`,
          ),
        },
      ],
      SHOPS,
    );
    expect([verdict, type, twins.map(({ name }) => name)]).toEqual(['alike', undefined, ['A', 'B']]);
  });

  test('versions of one type: the newest is shown, and the others are named', () => {
    const versions = ['v1', 'v2beta1', 'v2', 'v1alpha'].map((version) => ({
      path: `${version}.proto`,
      content: `syntax = "proto3"; package shop.${version}; message Shop { ${SHOP} }`,
    }));
    const { registry: all } = compileSchema(versions);
    const { verdict, type, twins, ranking } = classifyType([{ registry: all }], SHOPS);
    expect([verdict, type?.fullName]).toEqual(['alike', 'shop.v2.Shop']);
    expect(twins.map(({ fullName }) => fullName)).toEqual(['shop.v2beta1.Shop', 'shop.v1.Shop', 'shop.v1alpha.Shop']);
    expect(ranking[0]!.type).toBe(type);
    // Another one has other names for the same fields.
    const named = [
      ...versions,
      { path: 'x.proto', content: versions[0]!.content.replace('v1', 'v3').replace('name', 'title') },
    ];
    expect(classifyType([{ registry: compileSchema(named).registry }], SHOPS)).toMatchObject({
      verdict: 'alike',
      type: undefined,
    });
  });

  test('the type that a service takes is chosen, and the other is named', () => {
    const sources = `message A { ${SHOP} } message B { string name = 1; repeated Item items = 2; int64 founded = 3; bool open = 4; int32 kind = 5; } service S { rpc Get(B) returns (Item); }`;
    const { type, twins } = classifyType([{ registry: compile(sources) }], SHOPS);
    expect([type?.name, twins.map(({ name }) => name)]).toEqual(['B', ['A']]);
  });

  test('a type that an extension holds is like one that a field holds: the other is chosen', () => {
    const shop =
      'optional string name = 1; repeated Item items = 2; optional int64 founded = 3; optional bool open = 4; optional int32 kind = 5;';
    const content = `syntax = "proto2"; message Item { optional string label = 1; optional double price = 2; }
      message A { ${shop} } message B { ${shop} } message Base { extensions 100 to max; } extend Base { optional A a = 100; }`;
    const { registry: extended } = compileSchema([{ path: 'e.proto', content }]);
    const { verdict, type, twins } = classifyType([{ registry: extended }], SHOPS);
    expect([verdict, type?.name, twins.map(({ name }) => name)]).toEqual(['asserted', 'B', ['A']]);
  });

  test('the loaded type is chosen, not the bundled one', () => {
    const loaded = compile(`package mine; message Shop { ${SHOP} }`);
    const bundled = compile(`package shipped; message Shop { ${SHOP} }`);
    const { type, ranking } = classifyType([{ registry: loaded }, { registry: bundled, isBundled: true }], SHOPS);
    expect(type?.fullName).toBe('mine.Shop');
    expect(ranking.map(({ isBundled }) => isBundled).slice(0, 2)).toEqual([false, true]);
  });

  test('a bundled type is marked if other types are loaded', () => {
    const shipped = { registry: compile(`package shipped; message Shop { ${SHOP} }`), isBundled: true };
    const loadedOf = (content: string) => ({ registry: compile(content) });
    const marked = (...loaded: readonly string[]) => classifyType([...loaded.map(loadedOf), shipped], SHOPS);
    expect(marked('message Order { int64 cents = 1; }')).toMatchObject({ type: { name: 'Shop' }, isBundled: true });
    expect(marked(`package mine; message Shop { ${SHOP} }`).isBundled).toBe(false);
    expect(marked().isBundled).toBe(false);
  });

  test('the loaded type is used before a bundled one of the same name', () => {
    const twice = [
      { registry: compile(`message Shop { ${SHOP} }`) },
      { registry: compile(`message Shop { ${SHOP} }`), isBundled: true },
    ];
    expect(classifyType(twice, SHOPS)).toMatchObject({ verdict: 'asserted', twins: [] });
  });
});

test('in a schema of a few types, a type without evidence against it is presumed, even for a small message', () => {
  const few = compileSchema([
    { path: 'f.proto', content: 'syntax = "proto3"; message A { string a = 1; } message B { int64 b = 1; }' },
  ]).registry;
  const small = classifyType([{ registry: few }, { registry, isBundled: true }], [bytes(text('0a', 'foo'))]);
  expect([small.verdict, small.type?.name]).toEqual(['presumed', 'A']);
  expect(classifyType([{ registry: few }], [bytes(`${text('0a', 'foo')}10 01`)]).type).toBeUndefined();
});

test('in a schema of a few types, a type with enough evidence of its own is asserted', () => {
  const few = compileSchema([
    {
      path: 'f.proto',
      content:
        'syntax = "proto3"; message Shop { string name = 1; repeated Item items = 2; } message Item { string sku = 40; double price = 41; fixed64 id = 42; bool sold = 43; }',
    },
  ]).registry;
  const item = (n: number): string =>
    `${text('c202', `SKU-${n}`)}c902000000000000f03fd102${(16 + n).toString(16)}00000000000000d80201`;
  const shops = [1, 2, 3].map((n) => bytes(text('0a', `Shop ${n}`) + within('12', item(n))));
  const found = classifyType([{ registry: few }, { registry, isBundled: true }], shops);
  expect([found.verdict, found.type?.name]).toEqual(['asserted', 'Shop']);
});

describe('in a schema of a few types', () => {
  const order = (id: number): string => text('0a', `order-${id}`) + within('12', `${text('0a', `SKU-${id}`)}1002`);
  const orders = Array.from({ length: 20 }, (_, id) => order(1000 + id));
  const number = '18d0868303';
  const run = (id: number): string => within('0a', `8a01ff02${(128 + id).toString(16)}01`.repeat(3));

  test.each([
    [
      'an envelope whose bytes hold a message',
      'message Envelope { string type = 1; bytes payload = 2; int64 at = 3; }',
      orders.map((each) => text('0a', 'a.Placed') + within('12', each) + number),
      'Envelope',
    ],
    [
      'one such envelope',
      'message Envelope { string type = 1; bytes payload = 2; int64 at = 3; }',
      [text('0a', 'a.Placed') + within('12', orders[0]!) + number],
      'Envelope',
    ],
    [
      'a map whose values hold messages',
      'message Store { string key = 1; map<string, bytes> values = 2; }',
      orders.map((each) => text('0a', 'all') + within('12', text('0a', 'new') + within('12', each))),
      'Store',
    ],
    [
      'packed runs',
      'message Runs { repeated int32 sizes = 1; repeated sint64 offsets = 2; }',
      orders.map((_, id) => run(id)),
      'Runs',
    ],
    [
      'not bytes alone that hold messages, which any message may be',
      'message Raw { bytes body = 1; bytes auth = 2; repeated bytes signatures = 3; }',
      orders.map((each) => within('0a', each) + within('12', each) + text('1a', 'signature')),
      undefined,
    ],
  ])('%s', (_name, content, messages, name) => {
    const few = compileSchema([{ path: 'f.proto', content: `syntax = "proto3"; ${content}` }]).registry;
    const found = classifyType([{ registry: few }, { registry, isBundled: true }], messages.map(bytes));
    expect([found.verdict, found.type?.name]).toEqual([name === undefined ? 'unproven' : 'presumed', name]);
    expect(explainRank(found.ranking[0]!)).toBe('a field for every byte');
  });
});

test('only offered types are compared', () => {
  const { candidates } = classifyType([{ registry, isOffered: ({ name }) => name === 'Item' }], SHOPS);
  expect(candidates).toBe(1);
});

test('where nothing fits, the type that explains most bytes is first', () => {
  const twice = SHOPS.map((bytes) => new Uint8Array([...bytes, ...bytes]));
  const { verdict, ranking } = classifyType([{ registry }], twice);
  const shares = ranking.map(({ share }) => share);
  expect([verdict, ranking[0]!.type.name, shares[0]]).toEqual(['none', 'Shop', 1]);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(explainRank(ranking[0]!)).toContain('singular fields twice in the same message');
});

test('fields prove as much whether a type declares them itself or extensions add them', () => {
  const fields = 'optional string a = 1; optional string b = 2; optional string c = 3;';
  const { registry: both } = compileSchema([
    {
      path: 'e.proto',
      content: `syntax = "proto2"; message Own { ${fields} } message Extended { extensions 1 to 3; } extend Extended { ${fields} }`,
    },
  ]);
  const message = bytes(text('0a', 'one') + text('12', 'two') + text('1a', 'three'));
  const [first, second] = ['Own', 'Extended'].map((name) => {
    const reading = new TypeReading(both.messages.get(name)!);
    reading.add(message, false);
    return reading.weigh().support;
  });
  expect(second).toBe(first);
});

test('the reason for a type that explains every byte and does not fit is the evidence against it', () => {
  const content = 'syntax = "proto3"; message Sample { repeated uint64 ids = 1; }';
  const samples = compileSchema([{ path: 's.proto', content }]).registry;
  const { verdict, ranking } = classifyType([{ registry: samples }, { registry, isBundled: true }], [bytes('08 05')]);
  const sample = ranking.find(({ type: { name } }) => name === 'Sample')!;
  expect([verdict, sample.share, explainRank(sample)]).toEqual(['none', 1, '1 repeated field in its other form']);
});
