/** Random .proto files of three messages that use each other, with every kind of field. */
import fc from 'fast-check';
import { SCALAR_TYPES } from '#engine/schema/declaration.ts';
import type { FieldShape } from './field-shape.ts';
import {
  CONTENT_TYPES,
  lastFieldOptions,
  type NativeWishes,
  oneofOptions,
  optionsOf,
  sizedFields,
} from './native-options.ts';

const KEYS = [
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'uint32',
  'sfixed32',
  'sint32',
  'sint64',
];
/** The messages of a random file. */
export const MESSAGES: readonly string[] = ['A', 'B', 'C'];
const ANY = 'google.protobuf.Any';
const TYPES = [...SCALAR_TYPES, 'E', ...MESSAGES];
const TYPES_AND_ANY = [...TYPES, ANY, ANY, ANY];

/** Small numbers, and the numbers at which a tag grows. */
const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(15, 16, 2047, 2048, 18999, 536870911) },
);

const field = (shapes: readonly FieldShape['shape'][], types: readonly string[]): fc.Arbitrary<FieldShape> =>
  fc.record({
    number,
    shape: fc.constantFrom(...shapes),
    type: fc.constantFrom(...types),
    key: fc.constantFrom(...KEYS),
    chance: fc.nat(),
  });

const messageBody = (shapes: readonly FieldShape['shape'][], types: readonly string[]) =>
  fc.uniqueArray(field(shapes, types), { selector: ({ number }) => number, minLength: 0, maxLength: 9 });

const isMessage = (type: string) => MESSAGES.includes(type) || type === ANY;
const isPackable = (type: string) => type !== 'string' && type !== 'bytes' && !isMessage(type);

function print(proto2: boolean, bodies: readonly (readonly FieldShape[])[], native: NativeWishes | undefined): string {
  const lines = [
    `syntax = "${proto2 ? 'proto2' : 'proto3'}";`,
    'package random;',
    ...(native === undefined ? [] : ['import "native/options.proto";']),
    ...(bodies.flat().some(({ type }) => type === ANY) ? ['import "google/protobuf/any.proto";'] : []),
    'enum E { ZERO = 0; ONE = 1; NEGATIVE = -1; LARGE = 2147483647; }',
  ];
  bodies.forEach((fields, at) => {
    lines.push(`message ${MESSAGES[at]} {`);
    const oneof: string[] = [];
    const chosen = fields.filter(({ shape }) => shape === 'oneof');
    const others = fields.filter(({ shape }) => shape !== 'oneof');
    const chooser = native === undefined ? undefined : oneofOptions(chosen, others, native);
    // Within another message, the following fields would be read as part of it.
    const isAlone = !bodies.flat().some(({ type }) => type === MESSAGES[at]);
    const mayBeOpen = native !== undefined && isAlone && chosen.length === 0;
    if (native !== undefined && ((fields[0]?.chance ?? 0) & 0x2000) !== 0) {
      lines.push('  option (wirecost.native.compact_since) = "2.0.0";');
    }
    for (const [index, field] of fields.entries()) {
      const { number, shape, type, key } = field;
      const name = `f${number}`;
      const open = mayBeOpen && index === fields.length - 1 ? lastFieldOptions(field) : [];
      const isPlain = native === undefined || open.length > 0 || (shape === 'oneof' && chooser?.isNumberAlone(field));
      const messageOf = (name: string) => bodies[MESSAGES.indexOf(name)];
      const isChosen = shape === 'oneof' && chooser !== undefined;
      const options = isPlain
        ? open
        : optionsOf(field, { earlier: fields.slice(0, index), messageOf, isChosen }, native);
      if (isChosen) options.push(...chooser.ofMember(field));
      if (shape === 'packed' || shape === 'unpacked') {
        if (isPackable(type)) options.push(`packed = ${shape === 'packed'}`);
      }
      const bracket = options.length === 0 ? '' : ` [${options.join(', ')}]`;
      switch (shape) {
        case 'plain':
          lines.push(`  ${proto2 ? 'optional ' : ''}${type} ${name} = ${number}${bracket};`);
          break;
        case 'optional':
          lines.push(`  optional ${type} ${name} = ${number}${bracket};`);
          break;
        case 'required':
          // A required message of another type might contain this one; then no finite value would exist.
          lines.push(`  ${isMessage(type) ? 'optional' : 'required'} ${type} ${name} = ${number}${bracket};`);
          break;
        case 'repeated':
          lines.push(`  repeated ${type} ${name} = ${number}${bracket};`);
          break;
        case 'unpacked':
        case 'packed':
          lines.push(`  repeated ${type} ${name} = ${number}${bracket};`);
          break;
        case 'map':
          lines.push(`  map<${key}, ${type}> ${name} = ${number}${bracket};`);
          break;
        case 'oneof':
          oneof.push(`    ${type} ${name} = ${number}${bracket};`);
          break;
        case 'sized':
          for (const line of sizedFields(field))
            lines.push(`  ${proto2 ? line.replace(/^(?!repeated)/, 'optional ') : line}`);
          break;
        case 'group':
          lines.push(`  repeated group G${number} = ${number} { optional ${type} inner = 1; }`);
          break;
      }
    }
    if (oneof.length > 0) lines.push('  oneof choice {', ...(chooser?.ofOneof ?? []), ...oneof, '  }');
    lines.push('}');
  });
  if (native !== undefined) lines.push(CONTENT_TYPES);
  return lines.join('\n');
}

const PROTO3 = ['plain', 'plain', 'optional', 'repeated', 'unpacked', 'map', 'oneof'] as const;
const PROTO2 = ['optional', 'required', 'repeated', 'packed', 'map', 'oneof', 'group'] as const;

const SIZED = ['sized'] as const;

const messages = (native: NativeWishes | undefined, types: readonly string[] = TYPES): fc.Arbitrary<string> =>
  fc
    .boolean()
    .chain((proto2) =>
      fc
        .tuple(
          ...MESSAGES.map(() =>
            messageBody([...(proto2 ? PROTO2 : PROTO3), ...(native === undefined ? [] : SIZED)], types),
          ),
        )
        .map((bodies) => print(proto2, bodies, native)),
    );

/** Text of a .proto file whose messages are `random.A`, `random.B` and `random.C`. */
export const arbitraryProto: fc.Arbitrary<string> = messages(undefined);

/** The same with fields that hold a google.protobuf.Any. */
export const arbitraryProtoWithAny: fc.Arbitrary<string> = messages(undefined, TYPES_AND_ANY);

/** The same with valid options of `native/options.proto`, which it imports, on half of its fields. */
export const arbitraryLayouts = (native: NativeWishes): fc.Arbitrary<string> => messages(native);
