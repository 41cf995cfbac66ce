/**
 * The content of a link or a file: an analysis in two layers. `view` is the shown part, by stable addresses; `data` is
 * the bytes, the figures, or their place. docs/permalink.md describes it in words.
 *
 * These are the shapes of the newest version, and all decoded data is validated here: unknown names, impossible
 * figures, and sizes beyond the stated limits are refused. Older versions pass `upgrades.ts` first.
 */
import * as v from 'valibot';
import { SHARED_EXCERPT } from './shared-excerpt.ts';
import { MAX_FIELDS, SHARED_PROFILE } from './shared-profile.ts';
import { bytesUpTo, COUNT, FINITE, LONG_TEXT, NAME, namedRecord } from './shared-values.ts';

/** Most bytes of one payload or descriptor set, 48 MiB: what a file may hold. A link's own limits are far below. */
const BLOB = bytesUpTo(48 << 20);

const COUNTS = namedRecord(NAME, COUNT);
const NULLABLE_NAME = v.nullable(NAME);
/** Messages, and their payload bytes. */
const AMOUNT = v.strictObject({ messages: COUNT, bytes: COUNT });
const TEXTS = v.pipe(v.array(NAME), v.maxLength(10_000));

/** Half of 2,000,000 messages in another order than the input's are as many ranges. */
const MAX_RANGES = 1_000_000;
/** As many as are read from an archive or a folder. */
const MAX_SCHEMA_FILES = 50_000;

const ROW = v.strictObject({ encoding: v.picklist(['protobuf', 'native']), path: NAME, occurrence: COUNT });

const TABLE = v.strictObject({
  sort: v.nullable(v.strictObject({ column: NAME, descending: v.boolean() })),
  filter: NAME,
  flat: v.boolean(),
  expanded: TEXTS,
});

/** The selected messages. */
const SCOPE = v.strictObject({
  text: NAME,
  name: NAME,
  flow: NULLABLE_NAME,
  minBytes: v.nullable(COUNT),
  maxBytes: v.nullable(COUNT),
  time: v.nullable(v.tuple([FINITE, FINITE])),
  groups: TEXTS,
  ordinals: v.pipe(v.array(v.tuple([COUNT, COUNT])), v.maxLength(MAX_RANGES)),
});

/** A change of the schema. The advisor decides whether it can be applied. */
const CHANGE = namedRecord(
  NAME,
  v.union([
    NAME,
    v.number(),
    v.boolean(),
    v.pipe(v.array(NAME), v.maxLength(20_000)),
    namedRecord(NAME, v.union([NAME, v.number()])),
  ]),
);

const MATRIX_VIEW = v.strictObject({
  per: v.nullable(v.picklist(['message', 'request', 'joined'])),
  /** Absent: not chosen. */
  by: v.exactOptional(NULLABLE_NAME),
  level: v.nullable(COUNT),
  against: NULLABLE_NAME,
  isAll: v.boolean(),
});

/** Panels, causes and columns are names here. If the app no longer has one, the view falls back to its first value. */
const VIEW = v.strictObject({
  type: NULLABLE_NAME,
  types: namedRecord(NAME, NULLABLE_NAME),
  scope: SCOPE,
  shown: NULLABLE_NAME,
  /** Composition, or the comparison; null: not chosen. Links made before there was a choice have none. */
  question: v.optional(NULLABLE_NAME, null),
  /** Path of the field that the picture is zoomed into; null: the whole. */
  root: v.optional(NULLABLE_NAME, null),
  /** How two inputs are compared: steps, unit, and the paths of A and B that the user aligned. */
  pair: v.optional(
    v.strictObject({
      by: NAME,
      unit: NAME,
      aligned: namedRecord(NAME, NAME),
      /** Compressors whose bytes are shown beside the plain ones. */
      after: v.optional(v.pipe(v.array(NAME), v.maxLength(20)), []),
    }),
  ),
  /** A native profile, or an encoding in its place; null: not chosen. */
  nativeProfile: NULLABLE_NAME,
  overrides: namedRecord(NAME, NAME),
  selection: v.strictObject({ path: NULLABLE_NAME, ordinal: COUNT, row: v.nullable(ROW) }),
  cause: NULLABLE_NAME,
  table: v.nullable(TABLE),
  /** Changes of the schema that are tried out, in their order. Links made before there were any have none. */
  changes: v.optional(v.pipe(v.array(CHANGE), v.maxLength(1000)), []),
  /** The compressor that ranks them; null: the one of the captured messages. */
  compressor: v.optional(NULLABLE_NAME, null),
  panel: NAME,
  /** How the message is shown: bytes, protobuf, native, contents, header. Links made before it was kept have none. */
  messageForm: v.optional(NAME, 'bytes'),
  /** The compressed streams that the field table shows; null: none. */
  paid: v.optional(NULLABLE_NAME, null),
  /** The bytes that bars and pictures show: plain, paid after compression, or shared over copies. */
  drawn: v.optional(NAME, 'plain'),
  /** The view of the encodings; null, in links that were made before a capture's compressor came first: by zstd. */
  matrix: v.optional(v.nullable(MATRIX_VIEW), null),
});

const SCHEMA_FILES = v.pipe(
  v.array(v.strictObject({ path: NAME, content: v.union([LONG_TEXT, BLOB]) })),
  v.maxLength(MAX_SCHEMA_FILES),
);

/** How the input is read; null: as it is detected. */
const READING = {
  textEncoding: NULLABLE_NAME,
  framing: NULLABLE_NAME,
  /** Ids of the steps that unwrap it, if the user chose them; absent: as detected. */
  steps: v.exactOptional(v.pipe(v.array(NAME), v.maxLength(64))),
};

/** Both sides' true bytes after compression, each message alone; null: not measured. */
const COMPRESSED = v.nullable(
  v.strictObject({
    /** `gzip level 6`, `snappy`, `zstd level 3`. */
    codecs: v.pipe(v.array(v.strictObject({ codec: NAME, protobuf: COUNT, native: COUNT })), v.maxLength(20)),
    /** The number of measured messages, the number of all, and their plain bytes. */
    messages: COUNT,
    outOf: COUNT,
    protobuf: COUNT,
    native: COUNT,
  }),
);

/** Every encoding before and after every compressor; null: not measured. */
const MATRIX = v.nullable(
  v.strictObject({
    sizes: v.strictObject({
      type: NAME,
      messages: COUNT,
      captured: NAME,
      per: v.picklist(['message', 'request', 'joined']),
      /** The part that was measured; null: all. */
      sampled: v.nullable(AMOUNT),
      /** Plain bytes by how they were compressed as captured. Links made before it was carried have none. */
      capturedWith: v.exactOptional(COUNTS),
      compressors: v.pipe(
        v.array(v.strictObject({ id: NAME, label: NAME, library: NAME, version: NAME, parameters: NAME })),
        v.maxLength(20),
      ),
      rows: v.pipe(
        v.array(
          v.strictObject({
            id: NAME,
            label: NAME,
            bytes: v.nullable(COUNT),
            compressed: COUNTS,
            refused: NULLABLE_NAME,
            /** Links made before they were carried have none. */
            losses: v.optional(v.pipe(v.array(NAME), v.maxLength(100)), []),
            errors: namedRecord(NAME, FINITE),
          }),
        ),
        v.maxLength(100),
      ),
    }),
    /** Id of the shown compressor. */
    by: NULLABLE_NAME,
  }),
);

const BITS_AMOUNT = v.pipe(FINITE, v.minValue(0));
/** Bits, or plain bytes, by category. */
const BITS_CELLS = namedRecord(NAME, BITS_AMOUNT);

/** Bits that fields pay in compressed streams; null: not measured. */
const BITS = v.nullable(
  v.strictObject({
    by: v.variant('kind', [
      v.strictObject({ kind: v.literal('captured') }),
      v.strictObject({ kind: v.literal('encoder'), label: NAME, library: NAME, version: NAME }),
    ]),
    formats: v.pipe(v.array(NAME), v.maxLength(20)),
    streams: COUNT,
    messages: COUNT,
    outOf: COUNT,
    plainBytes: COUNT,
    compressedBytes: COUNT,
    /** By item. */
    container: namedRecord(NAME, BITS_AMOUNT),
    fields: v.pipe(
      v.array(v.strictObject({ path: NAME, bytes: BITS_CELLS, paid: BITS_CELLS, shared: v.exactOptional(BITS_CELLS) })),
      v.maxLength(MAX_FIELDS),
    ),
  }),
);

/** By the names of docs/profile-json.md. */
const LAYERS = v.pipe(
  COUNTS,
  v.check((layers) => Object.keys(layers).length <= 64, 'There are more layers than can be'),
);

const DATA = v.variant('kind', [
  /** One of the samples that ship with the app, by its id. */
  v.strictObject({ kind: v.literal('sample'), id: NAME }),
  /** The aggregated figures of one type, without any byte of payload except an excerpt that the user added. */
  v.strictObject({
    kind: v.literal('profile'),
    profile: SHARED_PROFILE,
    compressed: COMPRESSED,
    /** Bytes of the capture by layer; null for payloads. */
    layers: v.nullable(LAYERS),
    /** A few unchanged bytes of one message; null: none. */
    excerpt: v.nullable(SHARED_EXCERPT),
    /** Links made before encodings were measured have none. */
    matrix: v.optional(MATRIX, null),
    /** The same of bits. */
    bits: v.exactOptional(BITS),
  }),
  /**
   * Messages with filler of the same size in place of strings and numbers; if there are several, each after its length.
   */
  v.strictObject({ kind: v.literal('shape'), payload: BLOB, ...READING, schema: SCHEMA_FILES, compressed: COMPRESSED }),
  /** The input as it was opened. */
  v.strictObject({
    kind: v.literal('inline'),
    payload: BLOB,
    ...READING,
    schema: SCHEMA_FILES,
    /** The second version, in the address of the page that compares both. */
    otherSchema: v.exactOptional(SCHEMA_FILES),
  }),
  /** The input is to be fetched from an address, https or relative to the app's. */
  v.strictObject({ kind: v.literal('address'), address: NAME, ...READING, schema: SCHEMA_FILES }),
]);

/** The coverage of the figures: of the selected messages, those that layouts and types explain. */
const COVERAGE = v.pipe(
  v.strictObject({ all: AMOUNT, explained: AMOUNT }),
  v.check(
    ({ all, explained }) => explained.messages <= all.messages && explained.bytes <= all.bytes,
    'More is explained than there is',
  ),
);

/** Traffic that the capture lacks: missing packets, and ends of packets truncated by a snap length. */
const LOSSES = v.strictObject({
  packets: COUNT,
  cut: v.nullable(v.strictObject({ count: COUNT, bytes: COUNT, kept: COUNT, first: COUNT, last: COUNT })),
  missing: v.nullable(v.strictObject({ gaps: COUNT, bytes: COUNT, connections: COUNT, flow: NAME })),
});

/** Facts that a reader of figures and shapes must know beside them; absent: nothing, or not known. */
const NOTES = v.strictObject({
  /** Bytes of the file around the messages. */
  beside: v.exactOptional(v.strictObject({ framing: NAME, framingBytes: COUNT, unattributedBytes: COUNT })),
  /** The type that their address, header or method names, and that the messages contradict. */
  contradicted: v.exactOptional(NAME),
  /** The types of the files, if they differ. */
  mixed: v.exactOptional(TEXTS),
  /** Errors of the schema touch the type. */
  isTouched: v.exactOptional(v.literal(true)),
});

/** Bytes of the profile's messages as they were captured, compressed or not; absent: it is not known. */
const CAPTURED = v.exactOptional(COUNT);

/** The source of the measurement. A reader cannot verify figures without it. */
const SOURCE = v.strictObject({
  /** The input's name, or the name that the user gave the link. */
  name: NAME,
  messages: COUNT,
  /** Bytes of the input as given; of figures and shapes, those of their messages. */
  size: COUNT,
  /** Coverage of figures and shapes of a capture; null: a payload, or not known. */
  coverage: v.nullable(COVERAGE),
  /** The same, one for each capture that lacks some of its traffic. */
  losses: v.pipe(v.array(LOSSES), v.maxLength(1000)),
  captured: CAPTURED,
  notes: v.exactOptional(NOTES),
});

const MADE = v.strictObject({
  /** UTC, to the day. */
  date: v.pipe(
    v.string(),
    v.check((text) => /^\d{4}-\d\d-\d\d$/.test(text)),
  ),
  /** Version of the app. */
  by: NAME,
});

/** A of a comparison, as figures; the open input is B. Bits that fields pay are those of both, by compressor. */
const BASELINE = v.strictObject({
  name: NAME,
  profile: SHARED_PROFILE,
  captured: CAPTURED,
  bits: v.exactOptional(namedRecord(NAME, v.strictObject({ a: BITS, b: BITS }))),
});

export const SHARED = v.strictObject({
  source: SOURCE,
  made: MADE,
  view: VIEW,
  data: DATA,
  baseline: v.optional(v.nullable(BASELINE)),
});

export type Shared = DeepReadonly<v.InferOutput<typeof SHARED>>;
export type SharedView = Shared['view'];
export type SharedData = Shared['data'];
export type SharedFigures = Extract<SharedData, { kind: 'profile' }>;

type DeepReadonly<T> = T extends Uint8Array | string | number | boolean | null
  ? T
  : { readonly [K in keyof T]: DeepReadonly<T[K]> };

/** Reads a view from the app's own history; null: not a view, or of another version. */
export function checkView(value: unknown): SharedView | null {
  const checked = v.safeParse(VIEW, value);
  return checked.success ? checked.output : null;
}

/** The first fault, as `view.selection.ordinal: …`. */
export function checkShared(value: unknown): { ok: true; value: Shared } | { ok: false; detail: string } {
  const checked = v.safeParse(SHARED, value, { abortEarly: true, abortPipeEarly: true });
  if (checked.success) return { ok: true, value: checked.output };
  const [issue] = checked.issues;
  return { ok: false, detail: `${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}` };
}
