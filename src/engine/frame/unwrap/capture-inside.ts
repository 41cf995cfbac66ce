/**
 * A capture among the files of an archive: `trace.zip` with `trace.pcapng` and `notes.txt`. The archive is read as the
 * capture, because its packets or exchanges are not one message.
 */
import type { ReadControl, Source } from '../../bytes/source.ts';
import { CAPTURE_HEAD, sniffCapture } from '../../capture/containers/sniff-capture.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileSpan } from './file-span.ts';

const HAR_NAME = /\.har$/i;
const COMPRESSED_NAME = /\.(?:pcap|pcapng|cap|har)\.(?:gz|zst|lz4|br|sz)$/i;
/** Paths in a finding. */
const NAMED = 5;

/** The captures among several files, the largest first. */
export async function capturesAmong(
  source: Source,
  files: readonly FileSpan[],
  { pause }: ReadControl,
): Promise<readonly FileSpan[]> {
  const found: FileSpan[] = [];
  for (const [index, file] of files.entries()) {
    if (index % 100 === 0) await pause?.();
    const { path, start, end } = file;
    if (isCapture(path, await source.read(start, Math.min(end, start + CAPTURE_HEAD)))) found.push(file);
  }
  return found.sort((a, b) => b.end - b.start - (a.end - a.start));
}

/** Any JSON may begin as a HAR does. */
function isCapture(path: string, head: Uint8Array): boolean {
  const format = sniffCapture(head);
  if (format === null || format === 'gzip') return COMPRESSED_NAME.test(path);
  return format !== 'har' || HAR_NAME.test(path);
}

/**
 * The files that are not read beside a capture; null: there are none.
 * @param captures the one that is read, and others; none: no capture is read
 * @param bodies paths of files that are part of the capture
 * @param size bytes of the capture
 */
export function filesBeside(
  [read, ...others]: readonly FileSpan[],
  files: readonly FileSpan[],
  bodies: ReadonlySet<string>,
  size: number,
): Diagnostic | null {
  const left = files.map(({ path }) => path).filter((path) => path !== read?.path && !bodies.has(path));
  if (read === undefined || left.length === 0) return null;
  const named = `${left.slice(0, NAMED).join(', ')}${left.length > NAMED ? ', …' : ''}`;
  const which = others.length === 0 ? 'the only capture' : `the largest of ${others.length + 1} captures`;
  const count = left.length === 1 ? 'One other file is' : `${left.length} other files are`;
  return {
    code: 'archive/files-beside',
    severity: others.length === 0 ? 'info' : 'warning',
    message: `Of the archive ${read.path} is read, ${which} in it. ${count} not read: ${named}.`,
    space: 'capture',
    start: 0,
    end: size,
  };
}
