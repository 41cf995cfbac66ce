/** The messages of several files in one source, as an archive has them. */
import type { ReadControl, Source } from '../bytes/source.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FramingFacts } from './framing/framing.ts';
import type { OtherContent } from './framing/other-content.ts';
import type { MessageSink } from './message.ts';
import type { FileSpan } from './unwrap/file-span.ts';

interface Facts extends FramingFacts {
  readonly content: OtherContent | null;
}

/**
 * Reads each file with its own framing. The reported framing is that of the largest file. Bytes between files count as
 * framing.
 * @param read reads one file, whose type may be named
 */
export async function readFiles<T extends Facts>(
  source: Source,
  files: readonly FileSpan[],
  read: (file: Source, type: string | undefined, sink: MessageSink) => Promise<T>,
  sink: MessageSink,
  { onProgress, pause }: ReadControl,
): Promise<T> {
  let sum: T | null = null;
  let largest = -1;
  let inFiles = 0;
  let ordinal = 0;
  const without: FileSpan[] = [];
  for (const [index, span] of files.entries()) {
    const { path, start, end, type } = span;
    if (index % 100 === 0) await pause?.();
    const file: Source = { name: path, size: end - start, read: (from, to) => source.read(start + from, start + to) };
    const enter: MessageSink = (message, payload) => {
      const pieces = message.body.pieces.map((piece) => ({ start: start + piece.start, end: start + piece.end }));
      sink({ ...message, ordinal: ordinal++, flow: path, body: { ...message.body, pieces } }, payload);
    };
    const facts = await read(file, type, enter);
    if (facts.messages === 0) without.push(span);
    const diagnostics = facts.messages === 0 ? [] : facts.diagnostics.map((found) => moved(found, start));
    sum =
      sum === null
        ? { ...facts, diagnostics }
        : merged(sum, { ...facts, diagnostics }, file.size > largest && facts.messages > 0);
    if (facts.messages > 0) largest = Math.max(largest, file.size);
    inFiles += file.size;
    onProgress?.(end, source.size);
  }
  const all = sum!;
  return {
    ...all,
    content: all.messages === 0 ? all.content : null,
    framingBytes: all.framingBytes + source.size - inFiles,
    diagnostics: without.length === 0 ? all.diagnostics : [...all.diagnostics, withoutMessages(without)],
  };
}

/** @param isFirst whether the framing of `b` is reported, not the framing of `a` */
const merged = <T extends Facts>(a: T, b: T, isFirst: boolean): T => ({
  ...(isFirst ? b : a),
  messages: a.messages + b.messages,
  payloadBytes: a.payloadBytes + b.payloadBytes,
  capturedBytes: a.capturedBytes + b.capturedBytes,
  framingBytes: a.framingBytes + b.framingBytes,
  unattributedBytes: a.unattributedBytes + b.unattributedBytes,
  diagnostics: [...a.diagnostics, ...b.diagnostics].slice(0, MAX_FINDINGS),
});

const MAX_FINDINGS = 1000;

const moved = (found: Diagnostic, by: number): Diagnostic =>
  found.space === 'capture' ? { ...found, start: found.start + by, end: found.end + by } : found;

function withoutMessages(files: readonly FileSpan[]): Diagnostic {
  const paths = files.map(({ path }) => path);
  const named = paths.slice(0, 5).join(', ');
  return {
    code: 'frame/no-message',
    severity: 'warning',
    message: `No message is read from ${paths.length === 1 ? named : `${paths.length} files: ${named}${paths.length > 5 ? ' …' : ''}`}.`,
    space: 'capture',
    start: files[0]!.start,
    end: files.at(-1)!.end,
  };
}
