/** Opens an input, keeps the place of every message, and lists them in windows. */
import type { Source } from '#engine/bytes/source.ts';
import { readFramed, undress } from '#engine/frame/payload.ts';
import { includesBytes } from './byte-search.ts';
import type { InputApi, MessageOrder, Reading } from './input-api.ts';
import { bodyAt } from './message-body.ts';
import { PREVIEW_BYTES, previewMessage } from './message-preview.ts';
import { MessageTable } from './message-table.ts';
import { type Context, type HandlersOf, readControl } from './protocol.ts';
import { type OpenInput, opened, type Session } from './session-state.ts';
import { yieldingSource } from './yielding-source.ts';

/** Rows of a window of the message list; more are not answered at once. */
const MAX_WINDOW = 500;

export const inputHandlers = (session: Session): HandlersOf<InputApi> => ({
  async openInput({ name, data, dress, framing }, context) {
    session.input = null;
    const source = blobSource(name, data);
    const found = await undress(source, { dress }, readControl(context));
    const undressed = { ...found, source: yieldingSource(found.source) };
    const messages = new MessageTable();
    const framed = await readFramed(
      undressed.source,
      { framing },
      (message) => messages.add(message),
      readControl(context),
    );
    session.input = { undressed, framing: framed.framing.id, messages, guess: undefined, list: null };
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

  async messages({ from, to, order, filter }, context) {
    const open = opened(session);
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
});

const blobSource = (name: string, blob: Blob): Source => ({
  name,
  size: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
});

const readingOf = ({ id, label, reason }: Reading): Reading => ({ id, label, reason });

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
