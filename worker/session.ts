/**
 * What the thread holds between calls: the registry, the open input and its messages. It answers by calling the
 * engine; it knows no rule of any format itself.
 */
import { type AnalyzeRequest, analyze, type Findings } from '#engine/analyze.ts';
import type { Source } from '#engine/bytes/source.ts';
import type { Diagnostic } from '#engine/diagnostic.ts';
import type { BodyRef } from '#engine/frame/message.ts';
import { readFramed, type UndressedInput, undress } from '#engine/frame/payload.ts';
import { readBody } from '#engine/frame/read-body.ts';
import { type InspectedSide, inspect, withoutDoubts } from '#engine/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { rankTypes } from '#engine/rank-types.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import { includesBytes } from './byte-search.ts';
import { PREVIEW_BYTES, previewMessage } from './message-preview.ts';
import { MessageTable } from './message-table.ts';
import type { AnalyzeParams, Context, Handlers, MessageOrder, Reading } from './protocol.ts';
import { yieldingSource } from './yielding-source.ts';

/** Messages that types are compared on, and bytes of each. */
const RANKED_MESSAGES = 20;
const RANKED_BYTES = 256 << 10;
const RANKED_TYPES = 20;
/** Messages that a type is guessed from, and bytes of all of them. */
const GUESSED_MESSAGES = 256;
const GUESSED_BYTES = 8 << 20;
/** Rows of a window of the message list; more are not answered at once. */
const MAX_WINDOW = 500;

interface OpenInput {
  readonly undressed: UndressedInput;
  /** As it was settled when the input was opened, so that reading it again finds the same messages. */
  readonly framing: string;
  readonly messages: MessageTable;
  /** The type that the messages speak for; undefined until it is asked for, null once a message refuted it. */
  guess: MessageDescriptor | null | undefined;
  /** The list as last asked for: ordinals in its order. */
  list: { readonly key: string; readonly ordinals: Uint32Array } | null;
}

export function createSession(): Handlers {
  let registry: Registry = compileSchema([]).registry;
  /** Files whose types are there to be imported only. */
  let shelved: ReadonlySet<string> = new Set();
  let input: OpenInput | null = null;

  const opened = (): OpenInput => {
    if (!input) throw new Error('No input is open.');
    return input;
  };
  const requestOf = async ({ type, nativeProfile, overrides }: AnalyzeParams): Promise<AnalyzeRequest> => ({
    type: (type === null ? undefined : registry.messages.get(type)) ?? (await guessType(opened())),
    nativeProfile: NATIVE_PROFILES.find(({ id }) => id === nativeProfile) ?? NATIVE_PROFILES[0]!,
    overrides,
  });
  const control = ({ signal, progress }: Context) => ({
    signal,
    onProgress: (done: number, total: number) => progress({ done, total, unit: 'bytes' }),
  });

  return {
    setSchema({ files, shelf = [] }) {
      const { registry: compiled, diagnostics } = compileSchema([...files, ...shelf]);
      registry = compiled;
      shelved = new Set(shelf.map(({ path }) => path));
      return {
        files: compiled.files.map(({ path }) => path).filter((path) => !shelved.has(path)),
        types: summarizeTypes(compiled).filter(({ file }) => !shelved.has(file)),
        unresolved: unresolvedImports(compiled, diagnostics),
        diagnostics,
      };
    },

    async openInput({ name, data, dress, framing }, context) {
      input = null;
      const source = blobSource(name, data);
      const found = await undress(source, { dress }, control(context));
      const undressed = { ...found, source: yieldingSource(found.source) };
      const messages = new MessageTable();
      const framed = await readFramed(
        undressed.source,
        { framing },
        (message) => messages.add(message),
        control(context),
      );
      input = { undressed, framing: framed.framing.id, messages, guess: undefined, list: null };
      const { payloadBytes, framingBytes, unattributedBytes } = framed;
      return {
        name,
        size: source.size,
        bytes: undressed.source.size,
        dress: readingOf(undressed.dress),
        framing: readingOf(framed.framing),
        dresses: undressed.dresses.map(readingOf),
        framings: framed.framings.map(readingOf),
        messages: messages.length,
        payloadBytes,
        framingBytes,
        unattributedBytes,
        diagnostics: [...undressed.diagnostics, ...framed.diagnostics],
      };
    },

    async rankTypes(_, { signal }) {
      const { undressed, messages } = opened();
      const samples: Uint8Array[] = [];
      const step = Math.max(1, Math.floor(messages.length / RANKED_MESSAGES));
      for (let ordinal = 0; ordinal < messages.length && samples.length < RANKED_MESSAGES; ordinal += step) {
        if (signal.aborted) return [];
        samples.push((await bodyAt(undressed.source, messages.bodyAt(ordinal))).slice(0, RANKED_BYTES));
      }
      return rankTypes(registry, samples)
        .filter(({ type, score }) => score > 0 && !shelved.has(type.file))
        .slice(0, RANKED_TYPES)
        .map(({ type, share }) => ({ type: type.fullName, score: share, reason: reasonOf(share, samples.length) }));
    },

    async analyze(params, context) {
      const open = opened();
      const request = await requestOf(params);
      const read = (type: MessageDescriptor | undefined) =>
        analyze(
          open.undressed.source,
          { dress: 'binary', framing: open.framing },
          { ...request, type },
          control(context),
        );
      const { profile, diagnostics } = await read(request.type);
      if (!isGuessed(request.type)) return { profile, diagnostics };
      if (profile.unattributed > 0) {
        // A message that was not sampled may not be what the others are: then bytes are lost that a reading by field
        // numbers alone explains.
        const plain = await read(undefined);
        if (plain.profile.unattributed < profile.unattributed) {
          open.guess = null;
          return { profile: plain.profile, diagnostics: structural(plain) };
        }
      }
      return { profile, diagnostics: structural({ profile, diagnostics }) };
    },

    async messages({ from, to, order, filter }, context) {
      const open = opened();
      const key = `${order} ${filter}`;
      if (open.list?.key !== key) {
        const ordinals = await listMessages(open, order, filter, context);
        open.list = { key, ordinals };
      }
      const { ordinals } = open.list;
      const rows = [];
      for (const ordinal of ordinals.subarray(from, Math.min(to, from + MAX_WINDOW))) {
        const head = await headOf(open.undressed.source, open.messages, ordinal);
        rows.push({
          ordinal,
          offset: open.messages.startAt(ordinal),
          size: open.messages.sizeAt(ordinal),
          preview: previewMessage(head, undefined),
        });
      }
      return { total: ordinals.length, from, rows };
    },

    async inspect(params, { transfer }) {
      const { undressed, messages } = opened();
      const { type, nativeProfile, overrides } = await requestOf(params);
      const { ordinal } = params;
      // A copy: the source may hand out a view of bytes it keeps, and these leave the thread.
      const bytes = (await bodyAt(undressed.source, messages.bodyAt(ordinal))).slice();
      const inspected = inspect(bytes, { type, layoutOf: deriveLayouts(nativeProfile, overrides), ordinal });
      transfer(...buffersOf(inspected.wire), ...(inspected.native ? buffersOf(inspected.native) : []));
      return { ordinal, ...inspected };
    },
  };
}

const blobSource = (name: string, blob: Blob): Source => ({
  name,
  size: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
});

/** Without doubts about the guess; where every byte is read, there are no more findings of another kind either. */
const structural = ({ profile, diagnostics }: Pick<Findings, 'profile' | 'diagnostics'>): readonly Diagnostic[] =>
  withoutDoubts(diagnostics).filter(({ code }) => profile.unattributed > 0 || code !== 'wire/more-findings');

/** A type guessed from messages spread over the input; undefined where a guess would not hold. */
async function guessType(open: OpenInput): Promise<MessageDescriptor | undefined> {
  const { undressed, messages } = open;
  if (open.guess === undefined) {
    const samples: Uint8Array[] = [];
    const step = Math.max(1, Math.ceil(messages.length / GUESSED_MESSAGES));
    let bytes = 0;
    for (let ordinal = 0; ordinal < messages.length && bytes < GUESSED_BYTES; ordinal += step) {
      const body = await bodyAt(undressed.source, messages.bodyAt(ordinal));
      samples.push(body.slice());
      bytes += body.length;
    }
    open.guess = inferDescriptor(samples);
  }
  return open.guess ?? undefined;
}

/** A message's payload, which was read once before: that it cannot be read again is no finding. */
async function bodyAt(source: Source, ref: BodyRef): Promise<Uint8Array> {
  const body = await readBody(source, ref);
  if (!body.ok) throw new Error(body.diagnostics[0]!.message);
  return body.value;
}

const readingOf = ({ id, label, reason }: Reading): Reading => ({ id, label, reason });

const reasonOf = (share: number, messages: number): string => {
  const what = messages === 1 ? 'the message' : `${messages} messages`;
  return share === 1 ? `has a field for every byte of ${what}` : `has a field for some bytes of ${what}`;
};

/** Imports for which the compiler says that they lead nowhere; its sentence begins with the path. */
function unresolvedImports({ files }: Registry, diagnostics: readonly Diagnostic[]): readonly string[] {
  const missing = diagnostics.filter(({ code }) => code === 'schema/missing-import');
  const imports = new Set(files.flatMap((file) => file.imports));
  return [...imports].filter((path) => missing.some(({ message }) => message.startsWith(`"${path}" `)));
}

function summarizeTypes({ messages }: Registry) {
  const isNested = ({ fullName }: MessageDescriptor): boolean =>
    messages.has(fullName.slice(0, Math.max(0, fullName.lastIndexOf('.'))));
  return [...messages.values()]
    .filter(({ isMapEntry, file }) => !isMapEntry && !file.startsWith('google/protobuf/'))
    .map((type) => ({
      fullName: type.fullName,
      file: type.file,
      fields: type.fields.length,
      nested: isNested(type),
    }));
}

/** Ordinals in the order and through the filter; a filter reads every message. */
async function listMessages(
  { undressed, framing, messages }: OpenInput,
  order: MessageOrder,
  filter: string,
  { signal, progress }: Context,
): Promise<Uint32Array> {
  let ordinals = Uint32Array.from({ length: messages.length }, (_, ordinal) => ordinal);
  if (filter !== '') {
    const needle = new TextEncoder().encode(filter);
    const found: number[] = [];
    await readFramed(
      undressed.source,
      { framing },
      ({ ordinal }, payload) => {
        if (includesBytes(payload, needle)) found.push(ordinal);
      },
      { signal, onProgress: (done, total) => progress({ done, total, unit: 'bytes' }) },
    );
    ordinals = Uint32Array.from(found);
  }
  if (order === 'ordinal') return ordinals;
  const sign = order === 'largest' ? -1 : 1;
  return ordinals.sort((a, b) => sign * (messages.sizeAt(a) - messages.sizeAt(b)) || a - b);
}

/** The first bytes of a message: of a plain one no more than they are read. */
async function headOf(source: Source, messages: MessageTable, ordinal: number): Promise<Uint8Array> {
  const body = messages.bodyAt(ordinal);
  const [piece] = body.pieces;
  if (body.compression === null && body.pieces.length === 1 && piece) {
    return source.read(piece.start, Math.min(piece.end, piece.start + PREVIEW_BYTES));
  }
  return (await bodyAt(source, body)).subarray(0, PREVIEW_BYTES);
}

/** Every buffer of a side, once: columns may share one. */
const buffersOf = ({ bytes, table, path, counterpart }: InspectedSide): readonly ArrayBuffer[] => {
  const { start, end, parent, field, head, flags } = table;
  const columns = [bytes, start, end, parent, field, head, flags, path, counterpart];
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
};
