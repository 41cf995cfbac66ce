/**
 * Any input → its messages, on one road: packet captures and HARs, gzipped or not, give what their transports delimit;
 * all others are payloads in a text encoding and a framing.
 *
 *   source ─ openInput ─┬─▶ capture ── readCapture ──▶ messages
 *                       └─▶ payloads ─ readPayloads ─▶ messages
 */
import type { ReadControl, Source } from '../bytes/source.ts';
import { openCapture } from '../capture/containers/gzip-source.ts';
import { CAPTURE_HEAD, sniffCapture } from '../capture/containers/sniff-capture.ts';
import type { MessageSink } from '../frame/message.ts';
import { type InputChoice, type InputFacts, readPayloads } from '../frame/payload.ts';
import type { CaptureFacts, CaptureOptions } from '../frame/read-capture.ts';

/** `source`: the one that captureOffsets count in; of a gzipped capture the unzipped one. */
export interface OpenedInput {
  readonly kind: 'capture' | 'payloads';
  readonly source: Source;
  /** As it was given. */
  readonly name: string;
  readonly size: number;
}

export interface PayloadsRead extends InputFacts {
  readonly kind: 'payloads';
}

export interface CaptureRead extends Omit<CaptureFacts, 'size'> {
  readonly kind: 'capture';
  readonly name: string;
  /** Bytes of the input as given, and unzipped. Σ layers = bytes. */
  readonly size: number;
  readonly bytes: number;
}

export type InputRead = PayloadsRead | CaptureRead;

/** A text encoding or a framing chosen by hand says that the input is not a capture. */
export async function openInput(source: Source, choice: InputChoice, control: ReadControl = {}): Promise<OpenedInput> {
  const { name, size } = source;
  const payloads: OpenedInput = { kind: 'payloads', source, name, size };
  if (choice.textEncoding !== undefined || choice.framing !== undefined) return payloads;
  const found = await sniff(source);
  if (found === null) return payloads;
  if (found !== 'gzip') return { ...payloads, kind: 'capture' };
  // Progress is that of the messages.
  const unzipped = await openCapture(source, { signal: control.signal });
  const inside = await sniff(unzipped);
  return inside === null || inside === 'gzip' ? payloads : { kind: 'capture', source: unzipped, name, size };
}

/** Hands out the messages of an opened input. Rejects only as `source.read` does, or when cancelled. */
export async function readOpened(
  { kind, source, name, size }: OpenedInput,
  choice: InputChoice,
  sink: MessageSink,
  options: CaptureOptions = {},
): Promise<InputRead> {
  if (kind === 'payloads') return { kind, ...(await readPayloads(source, choice, sink, options)) };
  const { readCapture } = await captureReader();
  const { size: bytes, ...facts } = await readCapture(source, sink, options);
  return { kind, ...facts, name, size, bytes };
}

/** The reader of captures is a file of its own: most inputs are none. */
export const captureReader = () => import('../frame/read-capture.ts');

/** Both steps; the result says which road it was. */
export async function readInput(
  source: Source,
  choice: InputChoice,
  sink: MessageSink,
  options: CaptureOptions = {},
): Promise<InputRead> {
  return readOpened(await openInput(source, choice, options), choice, sink, options);
}

const sniff = async (source: Source) => sniffCapture(await source.read(0, Math.min(source.size, CAPTURE_HEAD)));
