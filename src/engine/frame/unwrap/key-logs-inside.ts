/** Key logs of TLS, compressed or not: a file, or those among the files of an archive. The capture beside them is decrypted with them. */
import { latin1 } from '../../bytes/latin1.ts';
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import { decodeOwned, patiently } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { isKeyLog, KEY_LOG_HEAD } from '../tls/key-log.ts';
import type { FileSpan } from './file-span.ts';

/** Limits of what is unpacked to find key logs: bytes of one, 16 MiB; of all files together, 64 MiB. */
const MAX_KEY_LOG = 16 << 20;
const MAX_UNPACKED = 64 << 20;

/** The lines of each, by its file. */
export async function keyLogsAmong(
  source: Source,
  files: readonly FileSpan[],
  control: ReadControl,
): Promise<ReadonlyMap<FileSpan, string>> {
  const found = new Map<FileSpan, string>();
  let left = MAX_UNPACKED;
  for (const [index, file] of files.entries()) {
    if (index % 100 === 0) await control.pause?.();
    if (control.signal?.aborted) throw new AbortError();
    const { start, end } = file;
    const head = await source.read(start, Math.min(end, start + KEY_LOG_HEAD));
    if (isLog(head)) {
      found.set(file, latin1(await source.read(start, end), 0, end - start));
      continue;
    }
    const codec = sniffCodec(head);
    const limit = Math.min(left, MAX_KEY_LOG);
    if (codec === null || end - start > limit) continue;
    const plain = await patiently(decodeOwned(await source.read(start, end), codec, limit), control);
    if (plain.ok || plain.reason === 'limit') left -= plain.ok ? plain.bytes.length : limit;
    if (plain.ok && isLog(plain.bytes)) found.set(file, latin1(plain.bytes, 0, plain.bytes.length));
  }
  return found;
}

/** The lines of a file that is a key log; null: it is another file. */
export async function keyLogIn(source: Source, control: ReadControl): Promise<string | null> {
  const [log] = (await keyLogsAmong(source, [{ path: source.name, start: 0, end: source.size }], control)).values();
  return log ?? null;
}

/** Most messages have a zero, and no text does. */
function isLog(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, KEY_LOG_HEAD);
  return !head.includes(0) && isKeyLog(latin1(head, 0, head.length));
}
