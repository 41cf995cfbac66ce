/** Schema files → the registry that the other calls look types up in. */
import type { TypeSummary } from '#engine/explore/choose-types.ts';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { compileInSteps, compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import type { HandlersOf } from './protocol.ts';
import type { SchemaApi, SchemaFile } from './schema-api.ts';
import type { LoadedSchema, Session } from './session-state.ts';

/** Files read side by side: a disk is slow to ask, not to answer. */
const READ_AT_ONCE = 64;
/** Milliseconds of work after which the thread listens. */
const PATIENCE = 25;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export function schemaHandlers(session: Session): HandlersOf<SchemaApi> {
  /** Every file as it was sent, read when it is needed. */
  let held = new Map<string, SchemaFile['content']>();
  const texts = new WeakMap<Blob, string | Uint8Array>();

  const read = async ({ path, content }: SchemaFile): Promise<SchemaSource> => {
    if (!(content instanceof Blob)) return { path, content };
    const known = texts.get(content);
    if (known !== undefined) return { path, content: known };
    const text = path.endsWith('.proto') ? await content.text() : new Uint8Array(await content.arrayBuffer());
    texts.set(content, text);
    return { path, content: text };
  };

  return {
    async setBundled({ files }) {
      session.bundled = compileSchema(await Promise.all(files.map(read))).registry;
      return offeredTypes({ registry: session.bundled, shelved: new Set() }).length;
    },

    holdFiles({ files }) {
      for (const { path, content } of files) held.set(path, content);
    },

    async setSchema({ files, shelf = [] }, { signal, progress }) {
      // Before anything is awaited: whether this call ends or is cancelled, the page counts on what it sent.
      held = new Map(files.map(({ path, content }) => [path, content ?? held.get(path) ?? '']));
      const given = [...[...held].map(([path, content]) => ({ path, content })), ...shelf];
      const sources: SchemaSource[] = [];
      for (let at = 0; at < given.length && !signal.aborted; at += READ_AT_ONCE) {
        sources.push(...(await Promise.all(given.slice(at, at + READ_AT_ONCE).map(read))));
        progress({ done: sources.length, total: 2 * given.length, unit: 'files' });
      }
      let heard = performance.now();
      const { registry, symbols, diagnostics, missing } = await compileInSteps(
        signal.aborted ? [] : sources,
        (step) => {
          if (performance.now() - heard < PATIENCE) return undefined;
          heard = performance.now();
          // Reading takes about as long as linking.
          const half = (step.done / Math.max(1, step.total)) * (given.length / 2);
          const done = given.length + (step.phase === 'reading' ? half : given.length / 2 + half);
          progress({ done: Math.floor(done), total: 2 * given.length, unit: 'files' });
          return nextTask();
        },
      );
      const shelved = new Set(shelf.map(({ path }) => path));
      if (!signal.aborted) session.schema = { registry, symbols, shelved };
      return {
        files: registry.files.map(({ path }) => path).filter((path) => !shelved.has(path)),
        types: offeredTypes(session.schema).length,
        missing,
        diagnostics: [...diagnostics, ...checkNativeOptions({ registry, symbols })],
      };
    },
  };
}

/** The types somebody may want to read messages as: neither map entries, nor what is there to be imported only. */
export function offeredTypes({
  registry: { messages },
  shelved,
}: Pick<LoadedSchema, 'registry' | 'shelved'>): readonly TypeSummary[] {
  const isNested = ({ fullName }: MessageDescriptor): boolean =>
    messages.has(fullName.slice(0, Math.max(0, fullName.lastIndexOf('.'))));
  return [...messages.values()]
    .filter(({ isMapEntry, file }) => !isMapEntry && !file.startsWith('google/protobuf/') && !shelved.has(file))
    .map((type) => ({ fullName: type.fullName, nested: isNested(type) }));
}
