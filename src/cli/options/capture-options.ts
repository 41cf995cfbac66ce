/** Options of a command → how captures are read. */
import { latin1 } from '#engine/bytes/latin1.ts';
import { readWhole } from '#engine/bytes/source.ts';
import type { CaptureOptions } from '#engine/frame/capture-facts.ts';
import { hasSecrets } from '#engine/frame/tls/key-log.ts';
import type { TlsReading } from '#engine/frame/tls-reading.ts';
import { keyLogIn } from '#engine/frame/unwrap/key-logs-inside.ts';
import { withSource } from '../inputs/file-source.ts';
import { Refusal } from '../output/outcome.ts';
import type { Options } from './arguments.ts';

/** For one capture: these find its decrypted contents. @throws Refusal if a file of `--keys` has no secret */
export async function captureOptions({
  limit,
  keys,
}: Pick<Options, 'limit' | 'keys'>): Promise<CaptureOptions & { readonly tls: TlsReading }> {
  const logs: string[] = [];
  for (const path of keys) {
    const text = await withSource(
      path,
      async (source) => (await keyLogIn(source, {})) ?? latin1(await readWhole(source)),
    );
    if (!hasSecrets(text)) throw new Refusal(`${path} is not a key log: none of its lines is a secret of TLS`);
    logs.push(text);
  }
  // Loading the ciphers takes time, so they are loaded only if needed.
  const { TlsDecoder } = await import('#engine/frame/tls/tls-decoder.ts');
  return { limit, tls: new TlsDecoder(logs.join('\n')) };
}
