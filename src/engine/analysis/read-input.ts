/**
 * Any input → its messages. Packet captures and HARs, gzipped or not, give the messages that their transports delimit.
 * All other inputs are payloads in a text encoding and a framing.
 *
 *   source ─ openInput ─┬─▶ capture ── readCapture ──▶ messages
 *                       └─▶ payloads ── readFramed ──▶ messages
 */
import type { ReadControl, Source } from '../bytes/source.ts';
import { CAPTURE_HEAD, sniffCapture } from '../capture/containers/sniff-capture.ts';
import type { CaptureOptions } from '../frame/capture-facts.ts';
import { framingOf, isFramingId } from '../frame/framing/framings.ts';
import type { MessageSink } from '../frame/message.ts';
import {
  type DecodedInput,
  decodeText,
  type InputChoice,
  type InputFacts,
  inputFacts,
  readFramed,
} from '../frame/payload.ts';
import { unknownFraming } from '../frame/unknown-reading.ts';
import { needed } from '../model/needed-file.ts';
import type { TypeSource } from './evidence/classify-type.ts';
import type { CaptureRead, Opened, OpenedCapture } from './opened-capture.ts';

export type OpenedInput =
  | OpenedCapture
  | (Opened & {
      readonly kind: 'payloads';
      readonly decoded: DecodedInput;
      /** Other types may have it read otherwise. */
      readonly isByTypes: boolean;
    });

export interface PayloadsRead extends InputFacts {
  readonly kind: 'payloads';
}

export type InputRead = PayloadsRead | CaptureRead;

/**
 * If the user chose a framing, the input is not treated as a capture; with a text encoding, only what it decodes to is.
 * A framing that the user described is that of the payload, or of the connections of the capture.
 * @param types those that the user loaded
 */
export async function openInput(
  source: Source,
  choice: InputChoice,
  control: ReadControl = {},
  types?: () => readonly TypeSource[] | Promise<readonly TypeSource[]>,
): Promise<OpenedInput> {
  const { name, size } = source;
  const named = choice.framing === undefined || isFramingId(choice.framing) ? null : await framingOf(choice.framing);
  const described = named === null || typeof named === 'string' ? null : named.id;
  const unknown = typeof named === 'string' ? [unknownFraming(choice.framing!, named)] : [];
  const mayBeCapture = choice.framing === undefined || named !== null;
  const sniffed =
    mayBeCapture && choice.textEncoding === undefined && choice.steps === undefined ? await sniff(source) : null;
  const asGiven = { kind: 'capture', name, size, steps: [], diagnostics: unknown, described, keyLogs: [] } as const;
  if (sniffed !== null && sniffed !== 'gzip') return { ...asGiven, source };
  if (sniffed === 'gzip') {
    // Only the reading of messages reports progress.
    const { openCapture } = await needed(() => import('../capture/containers/gzip-source.ts'));
    const unzipped = await openCapture(source, { signal: control.signal, pause: control.pause });
    const inside = await sniff(unzipped);
    if (inside !== null && inside !== 'gzip') return { ...asGiven, source: unzipped };
  }
  const quiet = { ...control, onProgress: undefined };
  const found = await decodeText(source, choice, quiet);
  const chosen = choice.steps?.length ?? 0;
  const isByTypes = found.steps.slice(chosen).some(({ id }) => id === 'json');
  let decoded = found;
  if (isByTypes && types !== undefined) {
    const { envelopeOrJson } = await needed(() => import('./evidence/json-itself.ts'));
    decoded = await envelopeOrJson(source, choice, found, await types(), quiet);
  }
  const isUnwrapped = decoded.source !== source && decoded.files === null;
  const inside = mayBeCapture && isUnwrapped ? await sniff(decoded.source) : null;
  // Bytes that a person left compressed are not a capture.
  if (inside !== null && inside !== 'gzip')
    return {
      ...asGiven,
      source: decoded.source,
      steps: decoded.steps,
      diagnostics: [...unknown, ...decoded.diagnostics],
      keyLogs: decoded.keyLogs,
    };
  return { kind: 'payloads', source, name, size, decoded, isByTypes };
}

/** Hands out the messages of an opened input. Rejects only as `source.read` does, or when cancelled. */
export async function readOpened(
  opened: OpenedInput,
  choice: InputChoice,
  sink: MessageSink,
  options: CaptureOptions,
): Promise<InputRead> {
  const { kind, source } = opened;
  if (kind === 'payloads') {
    const { decoded } = opened;
    const framed = await readFramed(decoded.source, choice, sink, options, decoded);
    return { kind, ...inputFacts(source, decoded, framed) };
  }
  const [{ captureRead }, { readCapture }] = await Promise.all([
    captureReader(),
    needed(() => import('../frame/read-capture.ts')),
  ]);
  return captureRead(opened, options, (settled) => readCapture(source, sink, settled));
}

/** The reader of captures is a chunk of its own, because most inputs are not captures. */
export const captureReader = () => needed(() => import('./workers/shared-reading.ts'));

/** Opens and reads an input. `kind` of the result shows whether it is a capture. */
export async function readInput(
  source: Source,
  choice: InputChoice,
  sink: MessageSink,
  options: CaptureOptions = {},
): Promise<InputRead> {
  return readOpened(await openInput(source, choice, options), choice, sink, options);
}

const sniff = async (source: Source) => sniffCapture(await source.read(0, Math.min(source.size, CAPTURE_HEAD)));
