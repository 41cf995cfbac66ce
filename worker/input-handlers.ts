/** Opens an input, keeps the place of every message, and lists them in windows. */

import type { OpenedCapture } from '#engine/analysis/opened-capture.ts';
import { readingOfGroup } from '#engine/analysis/plan/group-readings.ts';
import { captureReader, type OpenedInput, openInput } from '#engine/analysis/read-input.ts';
import { bodyHeadAt } from '#engine/analysis/store/message-body.ts';
import { type MessageStore, storeMessages } from '#engine/analysis/store/message-store.ts';
import type { MessageTable } from '#engine/analysis/store/message-table.ts';
import { forgetBrotliMissing, isBrotliMissing } from '#engine/compression/brotli.ts';
import type { InputChoice } from '#engine/frame/payload.ts';
import { needed } from '#engine/model/needed-file.ts';
import { blobSource } from './blob-source.ts';
import type { CaptureSummary, FlowSummary, InputApi, InputSummary, ReadingChoice } from './input-api.ts';
import { loadBrotli } from './load-brotli.ts';
import { withPool } from './load-pool.ts';
import { PREVIEW_BYTES, previewMessage } from './message-preview.ts';
import { nextMacrotask } from './next-macrotask.ts';
import { type Context, type Control, type HandlersOf, readControl } from './protocol.ts';
import { selectMessages, sortMessages } from './select-messages.ts';
import { opened, type Session, type StoredInput, sessionLibrary } from './session-state.ts';
import { timelineOf } from './timeline.ts';
import { loadedSource, sessionTypeSources } from './type-sources.ts';
import { yieldingSource } from './yielding-source.ts';

/** Rows of a window of the message list; more are not answered at once. */
const MAX_WINDOW = 500;
const MAX_FLOWS = 1000;
/** While a capture is being read: milliseconds between two summaries, and the lengths of their lists. */
const GROWTH_INTERVAL = 500;
const GROWING_GROUPS = 100;
const GROWING_FLOWS = 50;
/** Plain bytes of a compressed message that is unpacked for its line in the list. */
const MAX_UNPACKED = 1 << 20;

export const inputHandlers = (session: Session): HandlersOf<InputApi> => ({
  keepSide({ isKept }) {
    session.kept = isKept ? { ...session, kept: null } : null;
  },

  async openInput(params, context) {
    session.input = null;
    forgetBrotliMissing();
    const summary = await openOnce(session, params, context);
    if (!isBrotliMissing()) return summary;
    // Readers do not wait for a decoder: an input that asked for it is read again.
    const missing = await loadBrotli();
    context.signal.throwIfAborted();
    if (missing === null) return openOnce(session, params, context);
    // In a capture, the bodies without a decoder are findings. A file would be taken for something else.
    if (summary.kind === 'capture') return summary;
    throw missing;
  },

  async lookInside({ name, data }, context) {
    const { lookInside } = await needed(() => import('#engine/analysis/look-inside.ts'));
    const { captures, ...found } = await lookInside(blobSource(name, data), readControl(context));
    return { ...found, captures: captures.map(({ path, bytes }) => new File([bytes], path)) };
  },

  async reflectedSchema(_none, context) {
    const { reflectedSchema } = await needed(() => import('#engine/analysis/reflected-schema.ts'));
    return { set: await reflectedSchema(opened(session), readControl(context)) };
  },

  async messages(params, context) {
    const { from, to } = params;
    const open = opened(session);
    const { messages } = open;
    const { ordinals, bytes } = await listed(session, params, context);
    // A list of a hundred such bodies would unpack all of them for one line each.
    const isFarAt = (ordinal: number): boolean =>
      messages.sizeAt(ordinal) > MAX_UNPACKED && messages.bodyAt(ordinal).compression !== null;
    const rows = [];
    for (const ordinal of ordinals.subarray(from, Math.min(to, from + MAX_WINDOW))) {
      const time = messages.timeAt(ordinal);
      rows.push({
        ordinal,
        offset: messages.startAt(ordinal),
        size: messages.sizeAt(ordinal),
        capturedBytes: messages.capturedSizeAt(ordinal),
        time: Number.isNaN(time) ? null : time,
        flow: messages.flows.wordOf(messages.flowAt(ordinal)),
        status: messages.statusAt(ordinal),
        method: messages.methodAt(ordinal),
        group: messages.groups.at(messages.groupAt(ordinal)).key,
        preview: isFarAt(ordinal) ? '' : previewMessage(await bodyHeadAt(open, ordinal, PREVIEW_BYTES), undefined),
      });
    }
    return { total: ordinals.length, bytes, from, rows };
  },

  async rowOf(params, context) {
    const { ordinals } = await listed(session, params, context);
    const row = ordinals.indexOf(params.ordinal);
    return row < 0 ? null : row;
  },

  async rangesOf(params, context) {
    const { ordinals } = await listed(session, params, context);
    const rows = ordinals.slice(params.from, params.to).sort();
    const ranges: [number, number][] = [];
    for (const ordinal of rows) {
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === ordinal) last[1]++;
      else ranges.push([ordinal, ordinal + 1]);
    }
    return ranges;
  },

  async groupReadings({ types }, context) {
    const open = opened(session);
    const library = sessionLibrary(session);
    const { registries } = library;
    if (open.plans === null || registries.some((registry, at) => registry !== open.plans!.of[at])) {
      const { contradictedBy, decidedBy, planGroups } = await needed(
        () => import('#engine/analysis/plan/plan-groups.ts'),
      );
      const plans = await planGroups(
        [open],
        open.messages.groups.all(),
        library,
        {},
        sessionTypeSources(session),
        readControl(context),
      );
      open.plans = { of: registries, evidence: decidedBy(plans), contradicted: contradictedBy(plans) };
    }
    const { evidence, contradicted } = open.plans;
    const groups = open.messages.groups.all();
    return Object.fromEntries(
      groups.map((group) => [group.key, readingOfGroup(library, group, types, evidence, contradicted)]),
    );
  },

  timeline: (params, context) => timelineOf(session, params, context),
});

async function openOnce(
  session: Session,
  { name, data, ...chosen }: Parameters<InputApi['openInput']>[0],
  context: Context<InputSummary>,
): Promise<InputSummary> {
  const choice = { textEncoding: chosen.textEncoding, framing: chosen.framing, steps: chosen.steps };
  const file = yieldingSource(blobSource(name, data));
  const input = await openInput(file, choice, readControl(context), () => [loadedSource(session)]);
  // Another input may have been opened meanwhile.
  context.signal.throwIfAborted();
  return input.kind === 'capture'
    ? openCapture(session, input, chosen.keyLog ?? '', context)
    : openPayloads(session, input, choice, context);
}

/** The list in its order, made once for all its windows. */
async function listed(
  session: Session,
  { order, scope, types }: Pick<Parameters<InputApi['messages']>[0], 'order' | 'scope' | 'types'>,
  control: Control,
): Promise<NonNullable<StoredInput['list']>> {
  const open = opened(session);
  const { messages } = open;
  // The name and the order may be those of types.
  const key = JSON.stringify([messages.length, order, { ...scope, ordinals: [] }, types]);
  const of = [key, session.schema, session.bundled, open.plans];
  if (open.list?.of.every((part, at) => part === of[at])) return open.list;
  const chosen = await selectMessages(session, scope, types, control, false);
  let bytes = 0;
  for (const ordinal of chosen) bytes += messages.sizeAt(ordinal);
  open.list = { of, ordinals: sortMessages(session, chosen, order, types), bytes };
  return open.list;
}

async function openCapture(
  session: Session,
  input: OpenedCapture,
  keyLog: string,
  context: Context<InputSummary>,
): Promise<CaptureSummary> {
  const [{ TlsDecoder }] = await Promise.all([
    needed(() => import('#engine/frame/tls/tls-decoder.ts')),
    captureReader(),
  ]);
  const tls = new TlsDecoder(keyLog);
  context.signal.throwIfAborted();
  const { name, size } = input;
  let messages!: MessageTable;
  const found = () => ({
    kind: 'capture' as const,
    name,
    size,
    bytes: input.source.size,
    steps: input.steps,
    messages: messages.length,
    payloadBytes: messages.plainBytes,
    capturedBytes: messages.capturedBytes,
    firstTime: messages.firstTime <= messages.lastTime ? messages.firstTime : null,
    lastTime: messages.firstTime <= messages.lastTime ? messages.lastTime : null,
  });
  const control = readControl(context);
  let last = performance.now();
  const onProgress = (done: number, total: number): void => {
    control.onProgress?.(done, total);
    // Cancelled before the next growth, the list would have messages, and their number would be 0.
    if (messages.length === 0 || performance.now() - last < GROWTH_INTERVAL || done === total) return;
    last = performance.now();
    const groups = [...messages.groups.all()]
      .sort((a, b) => b.capturedBytes - a.capturedBytes)
      .slice(0, GROWING_GROUPS);
    context.soFar({
      ...found(),
      complete: false,
      groups,
      format: '',
      packets: 0,
      cut: null,
      missing: null,
      connections: 0,
      flows: flowsOf(messages, GROWING_FLOWS),
      flowCount: messages.flows.all().length,
      layers: null,
      secrets: [],
      span: null,
      traffic: [],
      diagnostics: [],
    });
  };
  const onStore = (store: MessageStore): void => {
    messages = store.messages;
    session.input = openInputOf(store);
  };
  const options = { ...control, tls, onProgress, nextTurn: nextMacrotask, onStore };
  const { input: read } = await withPool(size, (pool) => storeMessages(input, {}, { ...options, pool }));
  if (read.kind !== 'capture') throw new Error('A capture was read as payloads.');
  // Types that were guessed meanwhile are those of the first messages.
  if (session.input?.messages === messages) session.input.guesses.clear();
  const summary = found();
  const { firstTime, lastTime } = read.firstTime === null ? summary : read;
  return {
    ...summary,
    complete: true,
    groups: messages.groups.all(),
    span: firstTime === null || lastTime === null ? null : [firstTime, lastTime],
    format: read.format ?? '',
    packets: read.packets,
    cut: read.cut,
    missing: read.missing,
    connections: read.connectionCount,
    flows: flowsOf(messages, MAX_FLOWS),
    flowCount: messages.flows.all().length,
    layers: read.layers,
    secrets: read.secrets,
    traffic: read.traffic,
    diagnostics: read.diagnostics,
  };
}

async function openPayloads(
  session: Session,
  input: OpenedInput & { readonly kind: 'payloads' },
  choice: InputChoice,
  context: Context<InputSummary>,
): Promise<InputSummary> {
  const options = { ...readControl(context), nextTurn: nextMacrotask };
  const { store, input: read } = await storeMessages(input, choice, options);
  if (read.kind !== 'payloads') throw new Error('Payloads were read as a capture.');
  session.input = openInputOf(store);
  return {
    kind: 'payloads',
    name: read.name,
    size: read.size,
    bytes: read.bytes,
    complete: true,
    textEncoding: readingOf(read.textEncoding),
    framing: readingOf(read.framing),
    textEncodings: read.textEncodings.map(readingOf),
    framings: read.framings.map(readingOf),
    steps: read.steps,
    isByTypes: input.isByTypes,
    messages: store.messages.length,
    payloadBytes: read.payloadBytes,
    capturedBytes: read.capturedBytes,
    groups: store.messages.groups.all(),
    framingBytes: read.framingBytes,
    unattributedBytes: read.unattributedBytes,
    content: read.content,
    diagnostics: read.diagnostics,
  };
}

const openInputOf = (store: MessageStore): StoredInput => ({
  ...store,
  guesses: new Map(),
  plans: null,
  list: null,
  holding: null,
});

function flowsOf({ flows, flowMessages, flowBytes }: MessageTable, most: number): readonly FlowSummary[] {
  return flows
    .all()
    .map((name, index) => ({ name, messages: flowMessages.at(index + 1), capturedBytes: flowBytes.at(index + 1) }))
    .sort((a, b) => b.capturedBytes - a.capturedBytes)
    .slice(0, most);
}

const readingOf = ({ id, label, reason }: ReadingChoice): ReadingChoice => ({ id, label, reason });
