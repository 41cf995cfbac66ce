/**
 * Playwright stores the bodies of a HAR as files beside it (`recordHar` with `content: 'attach'`; in a ZIP always):
 *
 *   "postData": { "mimeType", "text": "", "_file": "9b75….bin" }        "content": { "mimeType", "size", "_file": "4c83….dat" }
 *
 * → the same HAR with these bodies in it, as base64, as it is recorded with `content: 'embed'`.
 */
import { latin1 } from '../../bytes/latin1.ts';
import type { Source } from '../../bytes/source.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import type { FileSpan } from './file-span.ts';

const NAME = /\.har$/i;

interface Body {
  _file?: unknown;
  text?: string;
  encoding?: string;
  _encoding?: string;
}

interface Entry {
  readonly request?: { readonly postData?: Body };
  readonly response?: { readonly content?: Body };
}

export interface HarWithBodies {
  readonly bytes: Uint8Array;
  /** Paths of the files that are in it. */
  readonly paths: ReadonlySet<string>;
}

/**
 * Bodies that are too large for memory stay out of it, and the HAR is read without them.
 * @returns null: none of the files is a body of it, or it is not a HAR
 */
export async function harWithBodies(
  source: Source,
  har: FileSpan,
  files: readonly FileSpan[],
): Promise<HarWithBodies | null> {
  if (!NAME.test(har.path) || har.end - har.start > PLAIN_LIMIT) return null;
  const text = new TextDecoder().decode(await source.read(har.start, har.end));
  const log = text.includes('"_file"') ? parsed(text) : null;
  if (log === null) return null;
  const folder = har.path.slice(0, har.path.lastIndexOf('/') + 1);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = new Set<string>();
  let left = PLAIN_LIMIT;
  const put = async (body: Body | undefined, encoding: 'encoding' | '_encoding'): Promise<void> => {
    const file = typeof body?._file === 'string' ? byPath.get(folder + body._file) : undefined;
    if (body === undefined || file === undefined || file.end - file.start > left) return;
    left -= file.end - file.start;
    body.text = btoa(latin1(await source.read(file.start, file.end)));
    body[encoding] = 'base64';
    paths.add(file.path);
  };
  for (const entry of log.log.entries) {
    await put(entry?.request?.postData, '_encoding');
    await put(entry?.response?.content, 'encoding');
  }
  return paths.size === 0 ? null : { bytes: new TextEncoder().encode(JSON.stringify(log)), paths };
}

/** null: it is not a HAR. */
function parsed(text: string): { readonly log: { readonly entries: readonly (Entry | null)[] } } | null {
  try {
    const har = JSON.parse(text);
    return Array.isArray(har?.log?.entries) ? har : null;
  } catch {
    return null;
  }
}
