/**
 * Read-only text of files that the user did not load: files that ship with the app, and descriptors printed as .proto
 * if there is no source.
 */
import type { Client } from '#worker/connect.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { loadPart } from '../load-part.ts';

export interface ReadText {
  readonly text: string;
  readonly from: 'app' | 'descriptors';
}

interface Needs {
  readonly client: Client;
  readonly findSchema: (imported: string) => string | undefined;
  readonly shippedFiles: (paths: readonly string[]) => Promise<readonly SchemaFile[]>;
}

/** null: nothing that is loaded has this path. */
export async function readTextOf(path: string, { client, findSchema, shippedFiles }: Needs): Promise<ReadText | null> {
  if (findSchema(path) === path) {
    const [file] = await shippedFiles([path]).catch(() => []);
    if (typeof file?.content === 'string') return { text: file.content, from: 'app' };
  }
  const found = await client.call('pagesIn', { file: path });
  if (!found.ok || found.value === null) return null;
  const { printPages } = await loadPart(() => import('#engine/explore/print-pages.ts'));
  const pages = new Map(found.value.symbols.map((page) => [page.fullName, page]));
  const { text, names } = printPages(found.value.file, (name) => pages.get(name));
  // From now on the worker knows the positions of their names, as for text that it compiled.
  await client.call('placeNames', { path, text, names });
  return { text, from: 'descriptors' };
}
