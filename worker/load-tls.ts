/** The reader of TLS: it is loaded with the first capture. */
import type { TlsReading } from '#engine/frame/tls-reading.ts';
import { retry } from '#engine/model/needed-file.ts';

/** @param keyLog lines of a key log; '': none @returns undefined if it cannot be loaded; TLS then stays unread */
export async function loadTls(keyLog: string): Promise<TlsReading | undefined> {
  try {
    const { TlsDecoder } = await retry(() => import('#engine/frame/tls/tls-decoder.ts'));
    return new TlsDecoder(keyLog);
  } catch {
    return undefined;
  }
}
