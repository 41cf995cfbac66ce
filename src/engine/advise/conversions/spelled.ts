/**
 * `lower-case hex read as bytes`, `decimal read as a number`: text becomes the value that it represents, or the
 * reverse.
 */
import type { FieldType } from '../../schema/descriptor.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import type { TreeValue } from '../value-tree.ts';
import type { Conversion, Mapping } from './conversion.ts';
import { eachValue } from './each-value.ts';
import { RANGES } from './plain.ts';
import { TEXT_CODES, type TextCode } from './text-codes.ts';

export const spelled: Conversion = {
  read(change, from, to) {
    const code = TEXT_CODES.find(({ matches }) => matches.test(change.value ?? ''));
    if (code === undefined) return undefined;
    const { mapping } = code;
    const compatibility = code.spells === 'bytes' ? OF_BYTES : undefined;
    if (from.type === 'string' && isSpelled(code, to.type)) {
      const isKept = within(to.type);
      return eachValue(
        change,
        {
          to(value) {
            const mapped = mapping.to(value);
            // An empty text is not 0.
            return mapped !== undefined && isKept(mapped) ? mapped : undefined;
          },
          back: mapping.back,
        },
        compatibility,
      );
    }
    if (to.type !== 'string' || !isSpelled(code, from.type)) return undefined;
    return eachValue(
      change,
      {
        to(value) {
          const text = mapping.back(value);
          return mapping.to(text) === undefined ? undefined : text;
        },
        back: (value) => mapping.to(value)!,
      },
      compatibility,
    );
  },
};

const OF_BYTES: Mapping['compatibility'] = {
  binary: 'unsafe',
  json: 'unsafe',
  reasons: [
    {
      about: 'binary',
      text: 'Text and bytes are compatible only where the bytes are UTF-8, which these need not be.',
      link: UPDATING_RULES_URL,
    },
    { about: 'json', text: 'Bytes are base64 in JSON.', link: UPDATING_RULES_URL },
  ],
};

const isSpelled = ({ spells }: TextCode, type: FieldType): boolean =>
  spells === 'bytes' ? type === 'bytes' : RANGES[type] !== undefined;

const within = (type: FieldType) => {
  const range = RANGES[type];
  return (value: TreeValue): boolean =>
    range === undefined || ((value as number) >= range[0] && (value as number) <= range[1]);
};
