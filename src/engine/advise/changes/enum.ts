import { latin1 } from '../../bytes/latin1.ts';
import { enumValueKey, parentOf } from '../../schema/names.ts';
import { type ChangeKind, type EnumChange, ImpossibleChange } from '../change.ts';
import { eachValue } from '../conversions/each-value.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { ENUM, JSON_WIRE_SAFETY_URL } from '../rule-links.ts';
import { targetField } from './target.ts';
import { typeCompatibility } from './type-compatibility.ts';

/** Texts become the constants of a new enum. In JSON a constant is its name, which is the text. */
export const enumChange: ChangeKind<EnumChange> = {
  alter(change, forms) {
    const before = targetField(forms, change);
    const { message, field, name, constants } = change;
    const home = homeOf(change, forms);
    if (before.type !== 'string' || before.name.startsWith('[')) {
      throw new ImpossibleChange(`${message}.${field} is not a string field of the message`);
    }
    const names = [zeroConstant(name), ...constants];
    const keys = new Set(names.map((one) => enumValueKey(name, one)));
    if (keys.size < names.length) throw new ImpossibleChange(`Two constants of ${name} would have one name`);
    if (![name, ...constants].every((one) => /^[A-Za-z]\w*$/.test(one)) || isHidingType(name, forms)) {
      throw new ImpossibleChange(`${message} cannot have an enum ${name} of ${constants.join(', ')}`);
    }
    const isDeclared = forms.enums.some(
      (one) => one.message === home && one.name === name && one.constants.join() === names.join(),
    );
    const declared = isDeclared ? forms : forms.withEnum({ message: home, name, constants: names });
    return declared.withField(message, field, alteredField(change, before, forms));
  },
  forward(change, tree, step) {
    mappingOf(change).forward(tree, step);
    return tree;
  },
  backward(change, tree, step) {
    mappingOf(change).backward(tree, step);
    return tree;
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility(change, forms) {
    const before = targetField(forms, change);
    return typeCompatibility(before, alteredField(change, before, forms), {
      json: 'conditional',
      compatibility: {
        reasons: [
          {
            about: 'json',
            text: 'JSON has the same texts, but for the empty one; any other text is refused.',
            link: JSON_WIRE_SAFETY_URL,
          },
          { about: 'source', text: 'Any other text needs a new constant before it can be written.', link: ENUM },
        ],
      },
    });
  },
  effort: () => 'new field needed',
};

function alteredField(change: EnumChange, before: FieldForm, forms: FieldEncodings): FieldForm {
  const packed = before.cardinality === 'repeated';
  const typeName = `${homeOf(change, forms)}.${change.name}`;
  return { ...before, type: 'enum', typeName, packed, defaultValue: undefined };
}

/** The message that declares the enum. The entries of a map are not written as one. */
export const homeOf = ({ message }: Pick<EnumChange, 'message'>, forms: FieldEncodings): string =>
  forms.get(message)!.isMapEntry ? parentOf(message) : message;

/** https://protobuf.dev/programming-guides/style/#enums */
const zeroConstant = (name: string): string =>
  `${name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}_UNSPECIFIED`;

/** Within the message, an enum hides a type or package of the same name. */
export const isHidingType = (name: string, { registry }: FieldEncodings): boolean =>
  [...registry.messages.keys(), ...registry.enums.keys()].some((type) => type.split('.').includes(name));

function mappingOf({ message, field, name, constants }: EnumChange) {
  const texts = ['', ...constants];
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const bytes = texts.map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0)));
  return eachValue(
    { message, field, to: name },
    {
      to: (value) => numbers.get(latin1(value as Uint8Array, 0, (value as Uint8Array).length)),
      back: (value) => bytes[value as number]!,
    },
  );
}
