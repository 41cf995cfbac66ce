/** Key logs of TLS among the files of an archive: the capture beside them is decrypted with them. */
import { latin1 } from '../../bytes/latin1.ts';
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import { isKeyLog, KEY_LOG_HEAD } from '../tls/key-log.ts';
import type { FileSpan } from './file-span.ts';

/** The lines of each, by its file. */
export async function keyLogsAmong(
  source: Source,
  files: readonly FileSpan[],
  control: ReadControl,
): Promise<ReadonlyMap<FileSpan, string>> {
  const found = new Map<FileSpan, string>();
  for (const [index, file] of files.entries()) {
    if (index % 100 === 0) await control.pause?.();
    if (control.signal?.aborted) throw new AbortError();
    const { start, end } = file;
    const head = await source.read(start, Math.min(end, start + KEY_LOG_HEAD));
    // Most messages have a zero, and no text does.
    if (head.includes(0) || !isKeyLog(latin1(head, 0, head.length))) continue;
    found.set(file, latin1(await source.read(start, end), 0, end - start));
  }
  return found;
}
