/**
 * Input → messages. Encoded text is decoded to bytes, wrappers are removed, the framing is detected, and the messages
 * are passed on one by one. Binary input is read in chunks and is never in memory as a whole; text and compressed
 * files are.
 *
 *   source ─ decodeText ─▶ bytes ─ readFramed ─▶ messages
 *
 * captureOffsets of messages and of `frame/…` diagnostics are offsets in the decoded bytes. captureOffsets of
 * `capture/…` diagnostics are offsets in the text as given.
 */

import { bytesSource, type ReadControl, readChunks, readWhole, type Source } from '../bytes/source.ts';
import { binary, judgeBinary } from '../capture/text/binary.ts';
import { type Candidate, MAX_TEXT, type TextEncoding } from '../capture/text/text-encoding.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { needed } from '../model/needed-file.ts';
import { loadActions } from './framing/actions.ts';
import type { FramingFacts } from './framing/framing.ts';
import { FRAMINGS, framingOf, judgeFramings } from './framing/framings.ts';
import { NO_MESSAGE } from './framing/no-message.ts';
import { type OtherContent, otherContent } from './framing/other-content.ts';
import type { MessageSink } from './message.ts';
import { unknownFraming, unknownTextEncoding } from './unknown-reading.ts';
import type { FileSpan } from './unwrap/file-span.ts';
import type { Unwrapped, UnwrapStep } from './unwrap/unwrap.ts';
import { mayBeLines, mayBeWrapped } from './unwrap/wrapped.ts';

/** Choices of the user, by id. Everything else is detected. */
export interface InputChoice {
  readonly textEncoding?: string | undefined;
  readonly framing?: string | undefined;
  /**
   * Ids of the steps that unwrap it. After them, further steps are detected. `none`: no further steps. `tar:PATH`: only
   * one file.
   */
  readonly steps?: readonly string[] | undefined;
}

/** An input as bytes. */
export interface DecodedInput {
  /** The bytes that contain the messages. For binary input, the source itself. */
  readonly source: Source;
  /** Id of the codec that the bytes were compressed with; null: not compressed. */
  readonly compression: string | null;
  /** The compressed bytes; null: not compressed. */
  readonly packed: Source | null;
  /** Steps that unwrapped it, and the resulting files; null: a single content. */
  readonly steps: readonly UnwrapStep[];
  readonly files: readonly FileSpan[] | null;
  /** Full name of the type of a single message, if its envelope names one. */
  readonly type?: string | undefined;
  /** Lines of each key log of TLS beside them. */
  readonly keyLogs: readonly string[];
  readonly textEncoding: Candidate;
  /** All candidates, best first. */
  readonly textEncodings: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FramedFacts extends FramingFacts {
  readonly framing: Candidate;
  /** All candidates, best first. */
  readonly framings: readonly Candidate[];
  /** The content of an input without messages; null: the input has messages. */
  readonly content: OtherContent | null;
}

export interface InputFacts extends FramedFacts {
  readonly name: string;
  /** Bytes of the input as given, and after decoding text and decompression. */
  readonly size: number;
  readonly bytes: number;
  readonly compression: string | null;
  readonly steps: readonly UnwrapStep[];
  readonly textEncoding: Candidate;
  readonly textEncodings: readonly Candidate[];
}

const CODEC_HEAD = 1 << 16;
const TEXT_HEAD = 64 << 10;
const FRAMING_HEAD = 256 << 10;

export async function readPayloads(source: Source, choice: InputChoice, sink: MessageSink): Promise<InputFacts> {
  const decoded = await decodeText(source, choice);
  return inputFacts(source, decoded, await readFramed(decoded.source, choice, sink, {}, decoded));
}

export const inputFacts = ({ name, size }: Source, decoded: DecodedInput, framed: FramedFacts): InputFacts => ({
  ...framed,
  name,
  size,
  bytes: decoded.source.size,
  compression: decoded.compression,
  steps: decoded.steps,
  textEncoding: decoded.textEncoding,
  textEncodings: decoded.textEncodings,
  diagnostics: [...decoded.diagnostics, ...framed.diagnostics],
});

/** Decodes text to bytes. */
export async function decodeText(
  source: Source,
  choice: InputChoice,
  control: ReadControl = {},
): Promise<DecodedInput> {
  const head = await source.read(0, Math.min(source.size, TEXT_HEAD));
  const { textEncodings, textEncoding, read } = await judgeText(head, source, choice);
  const plainOf = async (bytes: Source): Promise<Omit<DecodedInput, 'textEncoding' | 'textEncodings'>> => {
    const { packed, schemas: _, ...found } = await unwrapped(bytes, choice, control);
    return { ...found, compression: packed?.codec ?? null, packed: packed?.source ?? null };
  };
  const { textEncoding: named } = choice;
  const unknown = named === undefined || named === textEncoding.id ? [] : [unknownTextEncoding(named)];
  if (read === null) {
    const plain = await plainOf(source);
    return { ...plain, textEncoding, textEncodings, diagnostics: [...unknown, ...plain.diagnostics] };
  }
  // Only the reading of messages reports progress; decoding text is fast.
  const { size } = source;
  const text = size > MAX_TEXT ? new Uint8Array() : await readWhole(source, { signal: control.signal });
  const { bytes, diagnostics } = read(text);
  const plain = await plainOf(bytesSource(source.name, bytes));
  return { ...plain, textEncoding, textEncodings, diagnostics: [...unknown, ...diagnostics, ...plain.diagnostics] };
}

/** @returns `read`: null if the input is the bytes */
async function judgeText(
  head: Uint8Array,
  source: Source,
  choice: InputChoice,
): Promise<Pick<DecodedInput, 'textEncodings' | 'textEncoding'> & Pick<TextEncoding, 'read'>> {
  const known = judgeBinary(head);
  if (known !== null && (choice.textEncoding ?? binary.id) === binary.id) {
    return { textEncodings: known, textEncoding: chosen(known, choice.textEncoding), read: null };
  }
  const { judgeText: judge, readerOf, MAX_LINES_TEXT } = await needed(() => import('./judge-text.ts'));
  const { name, size } = source;
  const lines = mayBeLines(head) ? await source.read(0, Math.min(size, MAX_LINES_TEXT + 1)) : null;
  const textEncodings = judge(head, size, name, lines, isUnknown);
  const textEncoding = chosen(textEncodings, choice.textEncoding);
  return { textEncodings, textEncoding, read: readerOf(textEncoding.id, size) };
}

/** Unwraps an input. An input without a wrapper is returned unchanged. */
async function unwrapped(source: Source, { steps }: InputChoice, control: ReadControl): Promise<Unwrapped> {
  const head = await source.read(0, Math.min(source.size, CODEC_HEAD));
  const mayBe =
    mayBeWrapped(source.name, head, source.size) || (source.size <= head.length && isUnknown(head, source.name));
  if (steps === undefined && !mayBe) {
    return { source, steps: [], files: null, packed: null, schemas: 0, keyLogs: [], diagnostics: [] };
  }
  const { unwrap } = await needed(() => import('./unwrap/unwrap.ts'));
  return unwrap(source, steps, control);
}

/** Whether the bytes have no known form. They may be compressed with a format that has no signature. */
function isUnknown(bytes: Uint8Array, name = ''): boolean {
  const { id, score } = judgeFramings(bytes, bytes.length, name)[0]!;
  return id !== NO_MESSAGE && score < UNKNOWN_BELOW;
}
const UNKNOWN_BELOW = 0.3;

/** Divides decoded bytes into messages. @param decoded its files, or the type of its message */
export async function readFramed(
  source: Source,
  choice: InputChoice,
  sink: MessageSink,
  control: ReadControl = {},
  { files, type }: Pick<DecodedInput, 'files' | 'type'> = { files: null },
): Promise<FramedFacts> {
  if (files !== null && files.length > 0) {
    const { readFiles } = await needed(() => import('./read-files.ts'));
    return readFiles(
      source,
      files,
      (file, one, enter) => readFramed(file, choice, enter, { signal: control.signal }, { files: null, type: one }),
      sink,
      control,
    );
  }
  const head = await source.read(0, Math.min(source.size, FRAMING_HEAD));
  await loadActions(head);
  const detected = judgeFramings(head, source.size, source.name);
  const named = choice.framing === undefined ? null : await framingOf(choice.framing);
  const isKnown = named !== null && typeof named !== 'string';
  const { id, label, load, create, sniff } = isKnown ? named : FRAMINGS.find((one) => one.id === detected[0]!.id)!;
  const framings = detected.some((one) => one.id === id)
    ? detected
    : [{ id, label, ...sniff(head, source.size) }, ...detected];
  const framing = chosen(framings, isKnown ? id : undefined);
  const content = id === NO_MESSAGE ? otherContent(head, source.size) : null;
  await load?.();
  const framer = create(source.size);
  const enter: MessageSink =
    type === undefined ? sink : (message, payload) => sink({ ...message, typeHint: type }, payload);
  await readChunks(source, (chunk, _, atEnd) => framer.push(chunk, atEnd, enter), control);
  const facts = framer.facts();
  if (typeof named !== 'string') return { ...facts, framing, framings, content };
  const diagnostics = [unknownFraming(choice.framing!, named), ...facts.diagnostics];
  return { ...facts, diagnostics, framing, framings, content };
}

/** The one of that id, or else the first one. */
function chosen(candidates: readonly Candidate[], id: string | undefined): Candidate {
  const found = candidates.find((candidate) => candidate.id === id);
  return found === undefined ? candidates[0]! : { ...found, reason: 'chosen, not detected' };
}
