/**
 * Input → messages: text that stands for bytes is decoded, compressed bytes are decompressed, the framing is detected, the
 * messages are handed out one by one. Binary input is read in chunks and never held whole; text and compressed files are.
 *
 *   source ─ decodeText ─▶ bytes ─ readFramed ─▶ messages
 *
 * captureOffsets of messages and `frame/…` diagnostics count in the decoded bytes; those of `capture/…` diagnostics
 * in the text as it was given.
 */
import { bytesSource, type ReadControl, readChunks, readWhole, type Source } from '../bytes/source.ts';
import { judgeTextEncodings, TEXT_ENCODINGS } from '../capture/text/detect-text-encoding.ts';
import type { Candidate } from '../capture/text/text-encoding.ts';
import { decodeBody, PLAIN_LIMIT, sniffCodec } from '../compression/registry.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FramingFacts } from './framing/framing.ts';
import { FRAMINGS, judgeFramings } from './framing/framings.ts';
import { NO_MESSAGE } from './framing/no-message.ts';
import { type OtherContent, otherContent } from './framing/other-content.ts';
import type { MessageSink } from './message.ts';

/** Choices of the user, by id. Everything else is detected. */
export interface InputChoice {
  readonly textEncoding?: string | undefined;
  readonly framing?: string | undefined;
}

/** An input as bytes. */
export interface DecodedInput {
  /** The bytes that messages lie in; for binary input the source itself. */
  readonly source: Source;
  /** How the bytes were compressed, by the codec's id; null: they were not. */
  readonly compression: string | null;
  /** The compressed bytes; null: they were not. */
  readonly packed: Source | null;
  readonly textEncoding: Candidate;
  /** All, best first. */
  readonly textEncodings: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FramedFacts extends FramingFacts {
  readonly framing: Candidate;
  /** All, best first. */
  readonly framings: readonly Candidate[];
  /** The content of an input without messages; null: messages were read. */
  readonly content: OtherContent | null;
}

export interface InputFacts extends FramedFacts {
  readonly name: string;
  /** Bytes of the input as given, and as they are read: decoded from text and decompressed. */
  readonly size: number;
  readonly bytes: number;
  readonly compression: string | null;
  readonly textEncoding: Candidate;
  readonly textEncodings: readonly Candidate[];
}

const CODEC_HEAD = 1 << 16;
const TEXT_HEAD = 64 << 10;
const FRAMING_HEAD = 256 << 10;
/** Text is decoded whole; longer text is refused. */
const MAX_TEXT = 512 << 20;

export async function readPayloads(
  source: Source,
  choice: InputChoice,
  sink: MessageSink,
  control: ReadControl = {},
): Promise<InputFacts> {
  const decoded = await decodeText(source, choice, control);
  return inputFacts(source, decoded, await readFramed(decoded.source, choice, sink, control));
}

export const inputFacts = ({ name, size }: Source, decoded: DecodedInput, framed: FramedFacts): InputFacts => ({
  ...framed,
  name,
  size,
  bytes: decoded.source.size,
  compression: decoded.compression,
  textEncoding: decoded.textEncoding,
  textEncodings: decoded.textEncodings,
  diagnostics: [...decoded.diagnostics, ...framed.diagnostics],
});

/** Text that stands for bytes → these bytes; an unknown id in `choice` is a bug of the caller, who has the list. */
export async function decodeText(
  source: Source,
  choice: InputChoice,
  control: ReadControl = {},
): Promise<DecodedInput> {
  const head = await source.read(0, Math.min(source.size, TEXT_HEAD));
  const textEncodings = judgeTextEncodings(head, source.size);
  const textEncoding = chosen(textEncodings, choice.textEncoding);
  const read = byId(TEXT_ENCODINGS, textEncoding.id).read;
  if (read === null) return { ...(await decompress(source, control)), textEncoding, textEncodings };
  if (source.size > MAX_TEXT) {
    const diagnostic: Diagnostic = {
      code: 'capture/too-large',
      severity: 'error',
      message: `${source.size} bytes of text are too much to decode; give the bytes themselves`,
      space: 'capture',
      start: MAX_TEXT,
      end: source.size,
    };
    return {
      source: bytesSource(source.name, new Uint8Array()),
      compression: null,
      packed: null,
      textEncoding,
      textEncodings,
      diagnostics: [diagnostic],
    };
  }
  // Progress is that of the messages; decoding text is quick.
  const { bytes, diagnostics } = read(await readWhole(source, { signal: control.signal }));
  const plain = await decompress(bytesSource(source.name, bytes), control);
  return { ...plain, textEncoding, textEncodings, diagnostics: [...diagnostics, ...plain.diagnostics] };
}

/**
 * A compressed file → its plain content; any other file is returned as it is. Compressions without a magic number are
 * not tried.
 */
async function decompress(
  source: Source,
  control: ReadControl,
): Promise<Pick<DecodedInput, 'source' | 'compression' | 'packed' | 'diagnostics'>> {
  const head = await source.read(0, Math.min(source.size, CODEC_HEAD));
  const codec = source.name.endsWith('.br') ? 'brotli' : sniffCodec(head);
  const unchanged = { source, compression: null, packed: null, diagnostics: [] };
  // Two bytes of zlib may be those of a message.
  if (codec === null || codec === 'deflate' || source.size > PLAIN_LIMIT) return unchanged;
  const decoded = decodeBody(await readWhole(source, { signal: control.signal }), codec);
  if (decoded.ok) {
    const plain = bytesSource(source.name, decoded.bytes.slice());
    return { source: plain, compression: codec, packed: source, diagnostics: [] };
  }
  const diagnostic: Diagnostic = {
    code: `compression/${decoded.reason}`,
    severity: 'error',
    message: `The file cannot be decompressed (${codec}): ${decoded.detail}.`,
    space: 'capture',
    start: 0,
    end: source.size,
  };
  return { ...unchanged, diagnostics: [diagnostic] };
}

/** Cuts decoded bytes into messages. */
export async function readFramed(
  source: Source,
  choice: InputChoice,
  sink: MessageSink,
  control: ReadControl = {},
): Promise<FramedFacts> {
  const head = await source.read(0, Math.min(source.size, FRAMING_HEAD));
  const framings = judgeFramings(head, source.size);
  const framing = chosen(framings, choice.framing);
  const content = framing.id === NO_MESSAGE ? otherContent(head, source.size) : null;
  const framer = byId(FRAMINGS, framing.id).create(source.size);
  await readChunks(source, (chunk, _, atEnd) => framer.push(chunk, atEnd, sink), control);
  return { ...framer.facts(), framing, framings, content };
}

const chosen = (candidates: readonly Candidate[], id: string | undefined): Candidate =>
  id === undefined ? candidates[0]! : { ...byId(candidates, id), reason: 'chosen by hand' };

function byId<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const found = list.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`Unknown id ${id}; known: ${list.map((entry) => entry.id).join(', ')}.`);
  return found;
}
