/** Values in another type: the new value, from which the old one comes back. undefined: the type cannot hold it. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges, mapBack, mapForward } from '../apply.ts';
import { ImpossibleChange } from '../change.ts';
import { FieldEncodings } from '../forms.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';

const TIMES = ['Timestamp', 'Duration'].map((name) => ({
  path: `google/protobuf/${name}.proto`,
  content: `syntax = "proto3"; package google.protobuf; message ${name} { int64 seconds = 1; int32 nanos = 2; }`,
}));
const IMPORTS = TIMES.map(({ path }) => `import "${path}";`).join(' ');

/** The values of a field after its change, and of the message that comes back. */
function converted(declared: string, to: string, value: string | undefined, values: readonly TreeValue[]) {
  const content = `syntax = "proto3"; ${IMPORTS} message M { ${declared} f = 1; }`;
  const { registry } = compileSchema([...TIMES, { path: 'm.proto', content }]);
  const forms = new FieldEncodings(registry);
  const from = declared.replace(/^(optional|repeated) /, '');
  const change = {
    change: 'type',
    message: 'M',
    field: 'f',
    from,
    to,
    ...(value === undefined ? {} : { value }),
  } as const;
  try {
    const applied = applyChanges([change], forms, 'M');
    const after = mapForward(new TreeNode('M', new Map([['f', [...values]]])), applied);
    const written = after.fields.get('f');
    return { written, back: mapBack(after, applied).fields.get('f') };
  } catch (error) {
    if (error instanceof ImpossibleChange) return undefined;
    throw error;
  }
}

const text = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const time = (name: string, fields: Readonly<Record<string, number>>, unknown: readonly Uint8Array[] = []): TreeNode =>
  new TreeNode(`google.protobuf.${name}`, new Map(Object.entries(fields).map(([key, one]) => [key, [one]])), unknown);
const timestamp = (seconds: number, nanos: number): TreeNode =>
  time('Timestamp', { ...(seconds === 0 ? {} : { seconds }), ...(nanos === 0 ? {} : { nanos }) });
const duration = (seconds: number, nanos: number): TreeNode => time('Duration', { seconds, nanos });

test.each<[string, string, string, TreeValue, TreeValue | undefined]>([
  ['a whole double', 'double', 'sint64', 5, 5],
  ['a double with a fraction', 'double', 'sint64', 5.5, undefined],
  ['-0', 'double', 'sint64', -0, undefined],
  ['infinity', 'double', 'sint64', Number.POSITIVE_INFINITY, undefined],
  ['NaN', 'double', 'sint64', bytes('000000000000f87f'), undefined],
  ['a whole double that is too large', 'double', 'sint32', 2 ** 31, undefined],
  ['a whole double without presence, which 0 lacks', 'double', 'uint32', 1, 1],
  ['an integer that a float can hold', 'int32', 'float', 2 ** 24, 2 ** 24],
  ['an integer between two floats', 'int32', 'float', 2 ** 24 + 1, undefined],
  ['the same integer as a double', 'int32', 'double', 2 ** 24 + 1, 2 ** 24 + 1],
  ['an integer between two doubles', 'int64', 'double', 2n ** 60n + 1n, undefined],
  ['a large integer that is a double', 'int64', 'double', 2n ** 60n, 2 ** 60],
  ['the largest number of 32 bits', 'int64', 'uint32', 2 ** 32 - 1, 2 ** 32 - 1],
  ['one more', 'int64', 'uint32', 2 ** 32, undefined],
  ['a negative number without a sign', 'int64', 'uint32', -1, undefined],
  ['the least number of 32 bits', 'int64', 'sint32', -(2 ** 31), -(2 ** 31)],
  ['one less', 'int64', 'sint32', -(2 ** 31) - 1, undefined],
  ['the largest number of 64 bits with a sign', 'uint64', 'int64', 2n ** 63n, undefined],
  ['2 as a truth', 'int32', 'bool', 2, undefined],
  ['a double that is a float', 'double', 'float', 0.25, 0.25],
  ['a double between two floats', 'double', 'float', 0.1, undefined],
  ['NaN as a float', 'double', 'float', bytes('000000000000f87f'), bytes('0000c07f')],
  ['NaN with bits that a float lacks', 'double', 'float', bytes('010000000000f87f'), undefined],
  ['NaN as a double', 'float', 'double', bytes('0000c07f'), bytes('000000000000f87f')],
  ['a float as a double', 'float', 'double', 0.25, 0.25],
  ['bytes that are UTF-8', 'bytes', 'string', bytes('c3a4'), bytes('c3a4')],
  ['bytes that are not UTF-8', 'bytes', 'string', bytes('c328'), undefined],
  ['bytes that begin without UTF-8', 'bytes', 'string', bytes('ff'), undefined],
  ['text as bytes', 'string', 'bytes', bytes('c3a4'), bytes('c3a4')],
  ['a list of numbers as bytes, without naming how', 'fixed32', 'bytes', 5, undefined],
  ['text as a number, without naming how', 'string', 'int32', text('5'), undefined],
])('the same value: %s', (_, from, to, before, after) => {
  for (const label of ['optional', 'repeated']) {
    const expected = after === undefined ? undefined : { written: [after], back: [before] };
    expect(converted(`${label} ${from}`, to, undefined, [before])).toEqual(expected);
  }
});

const NOON = '2026-01-02T12:00:00';
const AT_NOON = Date.UTC(2026, 0, 2, 12);
const inText = (digits: string, zone = 'Z', unit = 'milliseconds'): string =>
  `RFC 3339 text with ${digits} digits, ${zone}, as ${unit} since 1970`;
const UUID = '01234567-89ab-cdef-0123-456789abcdef';

test.each<[string, string, string, string, TreeValue, TreeValue | undefined]>([
  ['a number moved up', 'int32', 'uint32', 'value + 1', -1, 0],
  ['a number moved down', 'int32', 'sint32', 'value − 5', 3, -2],
  ['a number moved below 0', 'int32', 'uint32', 'value - 5', 4, undefined],
  ['a number moved to 0', 'int32', 'uint32', 'value - 5', 5, 0],
  ['a number moved above the largest', 'int32', 'int32', 'value + 1', 2 ** 31 - 1, undefined],
  ['a number moved to the largest', 'int32', 'int32', 'value + 1', 2 ** 31 - 2, 2 ** 31 - 1],
  ['two digits behind the point', 'double', 'sint64', 'value × 10^2', -0.25, -25],
  ['one digit more', 'double', 'sint64', 'value × 10^2', 0.125, undefined],
  ['a sum that is not 0.3', 'double', 'sint64', 'value × 10^1', 0.1 + 0.2, undefined],
  ['a float', 'float', 'sint64', 'value × 10^1', Math.fround(0.1), 1],
  ['a fraction that is too large', 'double', 'sint64', 'value × 10^2', 1e15 + 0.25, undefined],
  ['-0 times a power', 'double', 'sint64', 'value × 10^2', -0, undefined],
  [
    'a fraction less the one before it',
    'double',
    'sint64',
    'minus the value before it in the same list',
    1.5,
    undefined,
  ],
  ['hex', 'string', 'bytes', 'lower-case hex', text('00ff'), bytes('00ff')],
  ['half of a byte in hex', 'string', 'bytes', 'lower-case hex', text('00f'), undefined],
  ['hex of the other case', 'string', 'bytes', 'upper-case hex', text('00ff'), undefined],
  ['bytes as hex', 'bytes', 'string', 'upper-case hex', bytes('00ff'), text('00FF')],
  ['a UUID', 'string', 'bytes', 'lower-case UUID', text(UUID), bytes(UUID.replaceAll('-', ''))],
  ['bytes as a UUID', 'bytes', 'string', 'UUID', bytes(UUID.replaceAll('-', '')), text(UUID)],
  ['bytes that are too few for a UUID', 'bytes', 'string', 'UUID', bytes('0102030405'), undefined],
  ['base64', 'string', 'bytes', 'base64 read as bytes', text('+/8='), bytes('fbff')],
  ['base64 with bits to spare', 'string', 'bytes', 'base64 read as bytes', text('+/9='), undefined],
  ['base64 that lacks its end', 'string', 'bytes', 'base64 read as bytes', text('+/8'), undefined],
  ['bytes as base64 in URLs', 'bytes', 'string', 'base64url', bytes('fbff'), text('-_8')],
  ['bytes as padded base64 in URLs', 'bytes', 'string', 'padded base64url', bytes('fb'), text('-w==')],
  ['the largest number as text', 'string', 'uint64', 'decimal', text('18446744073709551615'), 2n ** 64n - 1n],
  ['a larger one', 'string', 'uint64', 'decimal', text('18446744073709551616'), undefined],
  ['a text with a 0 before its number', 'string', 'uint64', 'decimal', text('07'), undefined],
  ['an empty text as a number', 'string', 'uint64', 'decimal', text(''), undefined],
  ['the largest number with a sign', 'sint64', 'string', 'decimal', 2n ** 63n - 1n, text('9223372036854775807')],
  ['a Timestamp', 'google.protobuf.Timestamp', 'int64', 'milliseconds since 1970', timestamp(1, 5e8), 1500],
  ['1970 as a Timestamp', 'google.protobuf.Timestamp', 'int64', 'seconds since 1970', timestamp(0, 0), 0],
  ['a Timestamp before 1970', 'google.protobuf.Timestamp', 'int64', 'milliseconds', timestamp(-1, 5e8), -500],
  ['a Timestamp with more digits', 'google.protobuf.Timestamp', 'int64', 'milliseconds', timestamp(1, 1), undefined],
  [
    'a Timestamp whose nanos are negative',
    'google.protobuf.Timestamp',
    'int64',
    'nanoseconds',
    timestamp(1, -1),
    undefined,
  ],
  [
    'a Timestamp with a second of nanos',
    'google.protobuf.Timestamp',
    'int64',
    'nanoseconds',
    timestamp(1, 1e9),
    undefined,
  ],
  [
    'a Timestamp too late for its type',
    'google.protobuf.Timestamp',
    'uint32',
    'seconds',
    timestamp(2 ** 32, 0),
    undefined,
  ],
  [
    'a Timestamp at the end of its type',
    'google.protobuf.Timestamp',
    'uint32',
    'seconds',
    timestamp(2 ** 32 - 1, 0),
    2 ** 32 - 1,
  ],
  ['a negative Duration', 'google.protobuf.Duration', 'sint64', 'milliseconds', duration(-1, -5e8), -1500],
  ['a Duration of two signs', 'google.protobuf.Duration', 'sint64', 'milliseconds', duration(1, -5e8), undefined],
  [
    'a Duration of the other two signs',
    'google.protobuf.Duration',
    'sint64',
    'milliseconds',
    duration(-1, 5e8),
    undefined,
  ],
  [
    'a Duration with a record of its own',
    'google.protobuf.Duration',
    'sint64',
    'seconds',
    time('Duration', { seconds: 1 }, [bytes('1801')]),
    undefined,
  ],
  ['a time as text', 'string', 'int64', inText('3'), text(`${NOON}.678Z`), AT_NOON + 678],
  [
    'a time with a zone before UTC',
    'string',
    'int64',
    inText('3', '+02:30'),
    text(`${NOON}.000+02:30`),
    AT_NOON - 150 * 60_000,
  ],
  [
    'a time with a zone behind UTC',
    'string',
    'int64',
    inText('no', '-01:00', 'seconds'),
    text(`${NOON}-01:00`),
    AT_NOON / 1000 + 3600,
  ],
  ['a time in another zone', 'string', 'int64', inText('3'), text(`${NOON}.678+00:00`), undefined],
  ['a time with fewer digits', 'string', 'int64', inText('3'), text(`${NOON}.5Z`), undefined],
  ['a time with more digits', 'string', 'int64', inText('3', 'Z', 'microseconds'), text(`${NOON}.6789Z`), undefined],
  ['a time with digits, where there are none', 'string', 'int64', inText('no'), text(`${NOON}.5Z`), undefined],
  ['a time with the digits that it needs', 'string', 'int64', inText('0 to 9'), text(`${NOON}.5Z`), AT_NOON + 500],
  ['a time with a digit that it does not need', 'string', 'int64', inText('0 to 9'), text(`${NOON}.50Z`), undefined],
  ['a time with all three digits', 'string', 'int64', inText('0, 3, 6 or 9'), text(`${NOON}.678Z`), AT_NOON + 678],
  ['a time without needed digits', 'string', 'int64', inText('0, 3, 6 or 9'), text(`${NOON}Z`), AT_NOON],
  [
    'a time with digits in threes',
    'string',
    'int64',
    inText('0, 3, 6 or 9', 'Z', 'microseconds'),
    text(`${NOON}.678900Z`),
    AT_NOON * 1000 + 678_900,
  ],
  ['a time before 1970', 'string', 'int64', inText('3'), text('1969-12-31T23:59:59.500Z'), -500],
  ['a day that is in no calendar', 'string', 'int64', inText('no'), text('2026-02-30T12:00:00Z'), undefined],
  ['a leap second', 'string', 'int64', inText('no'), text('2016-12-31T23:59:60Z'), undefined],
  ['a text that is not a time', 'string', 'int64', inText('no'), text('now'), undefined],
])('%s', (_, from, to, value, before, after) => {
  const expected = after === undefined ? undefined : { written: [after], back: [before] };
  expect(converted(`optional ${from}`, `optional ${to}`, value, [before])).toEqual(expected);
});

test.each<[string, string, string, string, readonly TreeValue[], readonly TreeValue[] | undefined]>([
  ['a text that is 0 would be read back as an empty one', 'string', 'uint64', 'decimal', [text('0')], undefined],
  ['any other text', 'string', 'uint64', 'decimal', [text('1')], [1]],
  ['a number moved, where an absent one is 0', 'int32', 'uint32', 'value + 1', [1], undefined],
  [
    'numbers by the planes of their bytes',
    'repeated fixed32',
    'bytes',
    'byte planes',
    [258, 1],
    [bytes('0201010000000000')],
  ],
  ['planes of bytes as text', 'repeated fixed32', 'string', 'byte planes', [1], undefined],
  ['planes of varints', 'repeated int32', 'bytes', 'byte planes', [1], undefined],
])('lists, and values without presence: %s', (_, from, to, value, before, after) => {
  const expected = after === undefined ? undefined : { written: after, back: before };
  expect(converted(from, to, value, before)).toEqual(expected);
});
