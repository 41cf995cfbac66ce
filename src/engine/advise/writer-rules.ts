/**
 * Waste that the writer alone can avoid. To add a kind, add an entry here and its sentence in
 * `src/wording/advice-words.ts`: `leavesOut` selects records to remove; `rewrite.ts` shortens the others.
 */
import { isMessageSet } from '../schema/link/rules.ts';
import type { Compatibility } from './change.ts';
import type { FieldForm, MessageForm } from './forms.ts';
import { PACKED, PRESENCE, UNKNOWN_FIELDS, UPDATING_RULES_URL, WIRE_FORMAT } from './rule-links.ts';

/** A record and its position in its message. */
export interface RecordPlace {
  /** undefined: no field of the schema has the number. */
  readonly field: FieldForm | undefined;
  readonly form: MessageForm;
  /** Number of records of the field in this message. */
  readonly count: number;
  readonly isLast: boolean;
  /** The message is a part of one, and its default may override a value of an earlier part. */
  readonly isMerged: boolean;
  readonly isZero: () => boolean;
}

export interface WriterRule {
  /** The change, as the title of a proposal. */
  readonly title: string;
  readonly compatibility: Compatibility;
  /** Whether a reader may need the removed values. */
  readonly losesValues?: true;
  readonly leavesOut?: (record: RecordPlace) => boolean;
}

const safe = (text: string, link: string): Compatibility => ({
  binary: 'safe',
  json: 'safe',
  source: 'safe',
  reasons: [{ about: 'binary', text, link }],
});

const isSingularScalar = ({ typeName, type, cardinality }: FieldForm): boolean =>
  (typeName === undefined || type === 'enum') && cardinality === 'singular';

const RULES = {
  'overlong varints': {
    title: 'Write varints in as few bytes as they need',
    compatibility: safe('Every parser reads the shortest varint as the same number.', WIRE_FORMAT),
  },
  'padded lengths': {
    title: 'Write lengths in as few bytes as they need',
    compatibility: safe('Every parser reads the shortest length as the same number.', WIRE_FORMAT),
  },
  'defaults written': {
    title: 'Leave out defaults of fields without presence',
    compatibility: safe('If a field without presence is not written, readers see its default.', PRESENCE),
    leavesOut: ({ field, form, count, isMerged, isZero }: RecordPlace) =>
      field !== undefined &&
      isSingularScalar(field) &&
      field.presence === 'implicit' &&
      !form.isMapEntry &&
      count === 1 &&
      !isMerged &&
      isZero(),
  },
  'unpacked runs': {
    title: 'Write runs packed, as they are declared',
    compatibility: safe('Parsers must take both forms, packed and expanded.', PACKED),
  },
  'repeated scalars': {
    title: 'Write singular fields once: the last value counts',
    compatibility: safe(
      'Of a singular scalar field that comes several times, the last one counts.',
      UPDATING_RULES_URL,
    ),
    leavesOut: ({ field, isLast }: RecordPlace) => field !== undefined && isSingularScalar(field) && !isLast,
  },
  'unknown fields': {
    title: 'Leave out fields that the schema does not know',
    compatibility: {
      binary: 'conditional',
      json: 'safe',
      source: 'safe',
      reasons: [{ about: 'binary', text: 'A reader of a newer schema may need them.', link: UNKNOWN_FIELDS }],
    },
    losesValues: true,
    // An extension of a message set is not one of its fields, but it is not waste.
    leavesOut: ({ field, form }: RecordPlace) => field === undefined && !isMessageSet({ extensionRanges: form.taken }),
  },
} as const satisfies Readonly<Record<string, WriterRule>>;

/** In place of a kind of waste: each message as short as a writer can make it. */
export const ANY_WASTE = 'any';
export const WITHOUT_ANY = {
  title: 'Write the same values without any waste',
  compatibility: safe('Every parser reads the same values.', UPDATING_RULES_URL),
} as const;

export type WriterWaste = keyof typeof RULES;
export const WRITER_RULES: Readonly<Record<WriterWaste, WriterRule>> = RULES;
export const WRITER_WASTE = Object.keys(RULES) as readonly WriterWaste[];
/** Waste without unknown fields: these are values that a reader may know, and they would be lost. */
export const LOSSLESS_WASTE = WRITER_WASTE.filter((kind) => WRITER_RULES[kind].losesValues !== true);
