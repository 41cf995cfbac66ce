/**
 * A wrapped input → its contents, step by step: compressions, archives, encoded text, base64 in JSON, at any depth.
 *
 *   body.tgz ─ gzip ─▶ tar ─▶ 12 files, each perhaps wrapped again ─▶ one source, with the place of each file
 *
 * A signature decides. Bytes without a signature count as compressed if they decode without a fault and the result
 * looks more like messages than they do. The user can change each step.
 */

import { AbortError, bytesSource, type ReadControl, readWhole, type Source } from '../../bytes/source.ts';
import { areSessions, zipOfSessions } from '../../capture/containers/zip-of-sessions.ts';
import { isDescriptorSet } from '../../capture/schema-signs.ts';
import { judgeTextEncodings } from '../../capture/text/detect-text-encoding.ts';
import { type TarEntry, walkTar } from '../../compression/archives/tar.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import { decodeBody, decodeOwned, patiently } from '../../compression/registry.ts';
import { isZlib, maySnappy } from '../../compression/signatures.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { SYSTEM_PATHS } from '../../model/folder-rules.ts';
import { isSchemaName, mayBeMessage } from '../../model/schema-names.ts';
import { judgeFramings } from '../framing/framings.ts';
import { NO_MESSAGE } from '../framing/no-message.ts';
import { otherContent } from '../framing/other-content.ts';
import { bytesInJson } from './bytes-in-json.ts';
import { bodiesLeftOut, capturesAmong, filesBeside, isCapture, joinedTraces } from './capture-inside.ts';
import type { FileSpan } from './file-span.ts';
import { harWithBodies } from './har-bodies.ts';
import { keyLogsAmong } from './key-logs-inside.ts';
import { MAX_LINES_TEXT, MESSAGE_A_LINE, messagesInLines } from './lines.ts';
import { MIN_SCORE, scoreOf } from './message-score.ts';
import { mayBeJson, mayBeLines, mayBeWrapped, signedWrapper } from './wrapped.ts';
import { NO_STEP } from './wrapper-labels.ts';
import { type Wrapper, type WrapperContents, wrapperOf } from './wrappers.ts';

export interface UnwrapStep {
  readonly id: string;
  readonly label: string;
  /** The reason for this step. */
  readonly reason: string;
  /** Bytes of the result. */
  readonly bytes: number;
  /** Paths of the resulting files, at most a thousand; null: a single content. */
  readonly files: readonly string[] | null;
  /** Number of resulting files, and the chosen one; null: all of them. */
  readonly count: number;
  readonly member: string | null;
  /** Number of key logs of TLS beside or in them; absent: none. */
  readonly keyLogs?: number;
}

export interface CaptureArchive {
  readonly source: Source;
  readonly files: readonly FileSpan[];
  /** The largest first, which is read. */
  readonly captures: readonly FileSpan[];
  /** One of the captures with what belongs to it. */
  readonly open: (capture: FileSpan) => Promise<OpenedFile>;
}

interface OpenedFile {
  readonly source: Source;
  /** Paths of the bodies that are stored beside a HAR, and the number of those that are left out of it. */
  readonly bodies: ReadonlySet<string>;
  readonly leftOut: number;
}

export interface Unwrapped {
  readonly source: Source;
  readonly steps: readonly UnwrapStep[];
  /** null: the whole source is one input. */
  readonly files: readonly FileSpan[] | null;
  /** Full name of the type of a single message, if its envelope names one. */
  readonly type?: string | undefined;
  /** The compressed bytes and their codec, if the last step was a compression. */
  readonly packed: { readonly source: Source; readonly codec: string } | null;
  /** Number of schema files beside the messages. */
  readonly schemas: number;
  /** Lines of each key log of TLS beside them. */
  readonly keyLogs: readonly string[];
  /** The archive of which a capture is read; absent: none is, or it was chosen. */
  readonly archive?: CaptureArchive;
  readonly diagnostics: readonly Diagnostic[];
}

const HEAD = 1 << 16;
const JUDGED = 256 << 10;
const MAX_STEPS = 8;
const MAX_LISTED = 1000;
/**
 * Limits: bytes of all files of an archive that are unwrapped in memory, 256 MiB; bytes of a text whose contents are searched,
 * 16 MiB.
 */
const MAX_PLAIN = 256 << 20;
const MAX_TEXT = 16 << 20;
/** Larger inputs without a known form are not tried as Brotli, which has no signature. */
const MAX_TRIED = 1 << 20;

/** Minimum score of a text encoding inside a wrapper. */
const MIN_TEXT = 0.8;
/** A framing with this score is certain, so nothing else is tried. */
const SURE = 0.9;

/** @param chosen ids of steps, in order; after them, further steps are detected. `tar:PATH` opens one file. */
export async function unwrap(
  source: Source,
  chosen: readonly string[] = [],
  control: ReadControl = {},
  depth = 0,
): Promise<Unwrapped> {
  const steps: UnwrapStep[] = [];
  let current = source;
  let packed: Unwrapped['packed'] = null;
  let type: string | undefined;
  let schemas = 0;
  const keyLogs: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let archive: CaptureArchive | null = null;
  const end = (): Unwrapped => ({
    ...{ source: current, steps, files: null, type, packed, schemas, keyLogs, diagnostics },
    ...(archive === null ? {} : { archive }),
  });
  for (let at = 0; at + depth < MAX_STEPS; at++) {
    if (control.signal?.aborted) throw new AbortError();
    const [id, ...rest] = (chosen[at] ?? '').split(':');
    if (id === NO_STEP) return end();
    const step = id === '' ? await detect(current, at + depth > 0, control) : chosenStep(id!);
    if (step === null) return end();
    const { wrapper, reason } = step;
    const member = rest.length === 0 ? null : rest.join(':');
    const opened = wrapper.id === 'tar' ? await openTar(current, control) : await open(wrapper, current, step, control);
    if ('fault' in opened) {
      diagnostics.push(faultOf(wrapper, current, opened.fault));
      return end();
    }
    const taken = { id: wrapper.id, label: wrapper.label, reason, bytes: opened.source.size };
    const { files } = opened;
    if (files === null) {
      packed = wrapper.codec === null ? null : { source: current, codec: wrapper.codec };
      steps.push({ ...taken, files: null, count: 1, member: null });
      current = opened.source;
      type = opened.type;
      continue;
    }
    packed = null;
    type = undefined;
    const own = files.filter(({ path }) => !SYSTEM_PATHS.test(path));
    const logs = await keyLogsAmong(opened.source, own, control);
    keyLogs.push(...logs.values());
    const meant = logs.size === own.length ? own : own.filter((file) => !logs.has(file));
    if (wrapper.id === 'zip' && areSessions(meant)) {
      current = await sessionsOf(opened.source, meant);
      steps.push(withKeyLogs({ ...taken, bytes: current.size, files: null, count: 1, member: null }, logs.size));
      continue;
    }
    const payloads = meant.filter(({ path }) => !isSchemaName(path) || mayBeMessage(path));
    schemas += meant.length - payloads.length;
    // A file of an archive of several is not the whole input.
    const mayBeCapture = id === '' && depth === 0 && payloads.length > 1;
    const captures = mayBeCapture ? await capturesAmong(opened.source, payloads, control) : [];
    const traces = await joinedTraces(opened.source, captures, payloads, control);
    if (traces !== null) {
      current = bytesSource(source.name, traces.bytes);
      diagnostics.push(...traces.beside);
      steps.push(withKeyLogs({ ...taken, bytes: current.size, files: null, count: 1, member: null }, logs.size));
      continue;
    }
    const isOnly = member === null && payloads.length === 1;
    const one = isOnly ? payloads[0] : (captures[0] ?? payloads.find(({ path }) => path === member));
    const listed = payloads.slice(0, MAX_LISTED).map(({ path }) => path);
    const entered = { ...taken, files: listed, count: payloads.length, member: one === undefined ? null : one.path };
    steps.push(withKeyLogs(entered, logs.size));
    if (one !== undefined) {
      const { source: inside } = opened;
      const openOne = (file: FileSpan): Promise<OpenedFile> => openFile(inside, file, meant, control);
      const { source: content, bodies, leftOut } = await openOne(one);
      current = content;
      const beside = filesBeside(captures, payloads, bodies, current.size);
      if (beside !== null) diagnostics.push(beside);
      if (leftOut > 0) diagnostics.push(bodiesLeftOut(leftOut, current.size));
      if (captures.length > 0) archive = { source: inside, files: meant, captures, open: openOne };
      continue;
    }
    const further = chosen.slice(at + 1);
    const nested = { steps, chosen: further, depth: at + depth + 1, isInPlace: wrapper.id === 'tar' };
    const each = await unwrapEach(opened.source, payloads, nested, control);
    return {
      ...each,
      schemas: schemas + each.schemas,
      keyLogs: [...keyLogs, ...each.keyLogs],
      diagnostics: [...diagnostics, ...each.diagnostics],
    };
  }
  return end();
}

/**
 * Unwraps each file of an archive. If no file is wrapped, the files of a tar stay in place; those of other archives do if
 * there are no files beside them.
 */
async function unwrapEach(
  source: Source,
  payloads: readonly FileSpan[],
  {
    steps,
    chosen,
    depth,
    isInPlace,
  }: {
    readonly steps: readonly UnwrapStep[];
    readonly chosen: readonly string[];
    readonly depth: number;
    readonly isInPlace: boolean;
  },
  control: ReadControl,
): Promise<Unwrapped> {
  const opened: { readonly path: string; readonly source: Source; readonly type?: string | undefined }[] = [];
  const inPlace: FileSpan[] = [];
  const diagnostics: Diagnostic[] = [];
  let each: readonly UnwrapStep[] = [];
  let isWrapped = false;
  let schemas = 0;
  const keyLogs: string[] = [];
  let left = MAX_PLAIN;
  for (const [index, span] of payloads.entries()) {
    if (index % 100 === 0) await control.pause?.();
    if (control.signal?.aborted) throw new AbortError();
    const file = spanOf(source, span);
    const head = await file.read(0, Math.min(file.size, HEAD));
    if (isDescriptorSet(head)) {
      schemas++;
      continue;
    }
    if (chosen.length === 0 && !mayBeWrapped(file.name, head, file.size)) {
      inPlace.push(span);
      opened.push({ path: span.path, source: file });
      continue;
    }
    const inside = await unwrap(file, chosen, control, depth);
    diagnostics.push(...inside.diagnostics);
    schemas += inside.schemas;
    keyLogs.push(...inside.keyLogs);
    if (inside.steps.length === 0) inPlace.push(span);
    else {
      isWrapped = true;
      if (each.length === 0) each = inside.steps;
      left -= inside.source.size;
    }
    if (left < 0) {
      diagnostics.push(fault('too-large', `Files from ${span.path} on unpack to more than is read here.`, source.size));
      break;
    }
    const parts = inside.files ?? [{ path: '', start: 0, end: inside.source.size, type: inside.type }];
    for (const part of parts) {
      const path = part.path === '' ? span.path : `${span.path}/${part.path}`;
      opened.push({ path, source: spanOf(inside.source, part), type: part.type });
    }
  }
  const all = [...steps.slice(0, -1), ...steps.slice(-1).map((step) => withKeyLogs(step, keyLogs.length)), ...each];
  const isWhole = inPlace.reduce((sum, { start, end }) => sum + end - start, 0) === source.size;
  if (!isWrapped && (isInPlace || isWhole))
    return { source, steps: all, files: inPlace, packed: null, schemas, keyLogs, diagnostics };
  const joined = new Uint8Array(opened.reduce((sum, { source: { size } }) => sum + size, 0));
  const files: FileSpan[] = [];
  let at = 0;
  for (const { path, source: file, type } of opened) {
    joined.set(await file.read(0, file.size), at);
    files.push({ path, start: at, end: at + file.size, type });
    at += file.size;
  }
  return { source: bytesSource(source.name, joined), steps: all, files, packed: null, schemas, keyLogs, diagnostics };
}

/** The files of a SAZ as one capture. */
async function sessionsOf(source: Source, files: readonly FileSpan[]): Promise<Source> {
  const each: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const { path, start, end } of files) each.push({ path, bytes: await source.read(start, end) });
  return bytesSource(source.name, zipOfSessions(each));
}

async function openFile(
  source: Source,
  file: FileSpan,
  files: readonly FileSpan[],
  control: ReadControl,
): Promise<OpenedFile> {
  const har = await harWithBodies(source, file, files, control);
  if (har === null) return { source: spanOf(source, file), bodies: new Set(), leftOut: 0 };
  return { source: bytesSource(file.path, har.bytes), bodies: har.paths, leftOut: har.leftOut };
}

const spanOf = (source: Source, { path, start, end }: FileSpan): Source => ({
  name: path === '' ? source.name : path,
  size: end - start,
  read: (from, to) => source.read(start + from, start + to),
});

const withKeyLogs = (step: UnwrapStep, more: number): UnwrapStep =>
  more === 0 ? step : { ...step, keyLogs: (step.keyLogs ?? 0) + more };

interface Step {
  readonly wrapper: Wrapper;
  readonly reason: string;
  /** Contents that detection already opened. */
  readonly opened?: WrapperContents;
}

function chosenStep(id: string): Step | null {
  const wrapper = wrapperOf(id);
  return wrapper === undefined ? null : { wrapper, reason: 'chosen, not detected' };
}

/**
 * @param isInside whether a step was already taken. Only then is encoded text detected here; before the first step,
 * `decodeText` does it
 */
async function detect(source: Source, isInside: boolean, control: ReadControl): Promise<Step | null> {
  const { name, size } = source;
  const head = await source.read(0, Math.min(size, JUDGED));
  if (isCapture(name, head, size)) return null;
  const signed = signedWrapper(name, head);
  // Larger ones are read in pieces or not at all.
  if (signed !== 'tar' && size > PLAIN_LIMIT) return null;
  if (signed !== null) return { wrapper: wrapperOf(signed)!, reason: 'its first bytes are those of the format' };
  if (mayBeLines(head) && size <= MAX_LINES_TEXT) {
    const files = messagesInLines(await readWhole(source), false);
    if (files !== null) return { wrapper: wrapperOf('lines')!, reason: MESSAGE_A_LINE, opened: { ok: true, files } };
  }
  if (isInside) {
    const [text] = judgeTextEncodings(head, size);
    const wrapper = wrapperOf(text!.id);
    if (wrapper !== undefined && text!.score >= MIN_TEXT) return { wrapper, reason: text!.reason };
  }
  if (mayBeJson(head) && size <= MAX_TEXT) {
    const found = bytesInJson(new TextDecoder().decode(await readWhole(source)), isMessage);
    if (found === null) return null;
    const reason = `messages at ${found.path === '' ? 'its texts' : found.path}`;
    return { wrapper: wrapperOf('json')!, reason, opened: { ok: true, files: found.files } };
  }
  if (otherContent(head, size) !== null) return null;
  const raw = judgeFramings(head, size)[0]!;
  if (raw.id !== NO_MESSAGE && raw.score >= SURE) return null;
  const isUnknown = raw.score < MIN_SCORE / 2 && size <= MAX_TRIED;
  const tried = [
    ...(isZlib(head) ? ['deflate'] : []),
    ...(maySnappy(head, size) ? ['snappy'] : []),
    ...(isUnknown ? ['brotli'] : []),
  ];
  if (tried.length === 0) return null;
  const packed = await readWhole(source);
  for (const id of tried) {
    const plain = await patiently(decodeOwned(packed, id, PLAIN_LIMIT), control);
    if (!plain.ok || plain.bytes.length === 0) continue;
    const { bytes } = plain;
    const isBetter = signedWrapper('', bytes) !== null || scoreOf(bytes) > Math.max(MIN_SCORE, raw.score);
    if (!isBetter && id !== 'deflate') continue;
    return { wrapper: wrapperOf(id)!, reason: 'it decodes without a fault', opened: { ok: true, bytes } };
  }
  return null;
}

const isMessage = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && (signedWrapper('', bytes) !== null || scoreOf(bytes) > MIN_SCORE || isSnappyMessage(bytes));

/** Snappy blocks have no signature. */
function isSnappyMessage(bytes: Uint8Array): boolean {
  const plain = maySnappy(bytes, bytes.length) ? decodeBody(bytes, 'snappy', PLAIN_LIMIT) : null;
  return plain?.ok === true && scoreOf(plain.bytes) > MIN_SCORE;
}

type Content =
  | { readonly source: Source; readonly files: readonly FileSpan[] | null; readonly type?: string | undefined }
  | { readonly fault: Fault };
interface Fault {
  readonly code: string;
  readonly detail: string;
}

async function open({ open: openBytes }: Wrapper, source: Source, step: Step, control: ReadControl): Promise<Content> {
  const { signal } = control;
  const opened = step.opened ?? (await patiently(openBytes(await readWhole(source, { signal }), PLAIN_LIMIT), control));
  if (!opened.ok) return { fault: opened };
  if ('bytes' in opened) return { source: bytesSource(source.name, opened.bytes), files: null, type: opened.type };
  const joined = new Uint8Array(opened.files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  const files: FileSpan[] = [];
  let at = 0;
  for (const { path, bytes } of opened.files) {
    joined.set(bytes, at);
    files.push({ path, start: at, end: at + bytes.length });
    at += bytes.length;
  }
  return { source: bytesSource(source.name, joined), files };
}

/** The files stay in place. A source that fits in memory is read once. */
async function openTar(given: Source, control: ReadControl): Promise<Content> {
  const isSmall = given.size <= PLAIN_LIMIT;
  const source = isSmall ? bytesSource(given.name, await readWhole(given, { signal: control.signal })) : given;
  const walk = walkTar(source.size);
  let step: IteratorResult<readonly [number, number], readonly TarEntry[]> = walk.next();
  while (!step.done) step = walk.next(await source.read(...step.value));
  return step.value.length === 0
    ? { fault: { code: 'malformed', detail: 'no tar header where one should be' } }
    : { source, files: step.value };
}

const faultOf = ({ label }: Wrapper, { size }: Source, { code, detail }: Fault): Diagnostic =>
  fault(code, `The file cannot be unwrapped (${label}): ${detail}.`, size);

/** @param size of the file: a fault is one of all its bytes */
const fault = (code: string, message: string, size: number): Diagnostic => ({
  code: `compression/${code}`,
  severity: 'error',
  message,
  space: 'capture',
  start: 0,
  end: size,
});
