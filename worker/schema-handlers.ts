/** Schema files → the registry that the other calls look types up in. */

import { NativeLayouts } from '#engine/analysis/plan/native-reading.ts';
import { bundledSource } from '#engine/analysis/plan/plan-reading.ts';
import type { TypeSummary } from '#engine/explore/choose-types.ts';
import { needed } from '#engine/model/needed-file.ts';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { isBuiltInFile, parentOf } from '#engine/schema/names.ts';
import { typeGraph } from '#engine/schema/type-graph.ts';
import type { HandlersOf } from './protocol.ts';
import type { SchemaApi, SchemaFile, UnpackedFiles } from './schema-api.ts';
import { compileFiles, unpackInParts } from './schema-sources.ts';
import type { Session, SessionSchema } from './session-state.ts';

export function schemaHandlers(session: Session): HandlersOf<SchemaApi> {
  /** Every file as it was sent, read when it is needed. */
  let held = new Map<string, SchemaFile['content']>();
  /** The files of the archive that is being unpacked. */
  let nextFiles = (): UnpackedFiles => ({ files: [], diagnostics: [] });

  return {
    async setBundled({ files }, context) {
      const { registry, symbols, check } = await compileFiles(files, context, true);
      session.bundled = { registry, symbols, files, shelved: new Set(), graph: typeGraph(registry), check };
      session.layouts = new NativeLayouts(session.schema.registry, registry);
      return { files: registry.files.map(({ path }) => path), types: bundledTypes(session.bundled).length };
    },

    holdFiles({ files }) {
      for (const { path, content } of files) held.set(path, content);
    },

    async unpackArchive({ archive }) {
      if (archive !== null) nextFiles = await unpackInParts(archive);
      const unpacked = nextFiles();
      for (const { path, content } of unpacked.files) held.set(path, content);
      return unpacked;
    },

    async setSchema({ files, shelf = [] }, context) {
      // Before anything is awaited: whether this call ends or is cancelled, the page counts on what it sent.
      held = new Map(files.map(({ path, content }) => [path, content ?? held.get(path) ?? '']));
      const given = [...[...held].map(([path, content]) => ({ path, content })), ...shelf];
      const { registry, symbols, diagnostics, missing, check } = await compileFiles(given, context);
      const shelved = new Set(shelf.map(({ path }) => path));
      const found = [...diagnostics, ...checkNativeOptions({ registry, symbols })];
      const faulty = found.length > 0 ? await needed(() => import('#engine/schema/faults.ts')) : undefined;
      // Another schema may have been compiled meanwhile.
      context.signal.throwIfAborted();
      const faults = faulty?.faultsIn(registry, found, symbols);
      session.schema = { registry, symbols, files: given, shelved, graph: typeGraph(registry), faults, check };
      session.layouts = new NativeLayouts(registry, session.bundled.registry);
      return {
        files: registry.files.map(({ path }) => path).filter((path) => !shelved.has(path)),
        types: offeredTypes(session.schema).length,
        missing,
        diagnostics: found,
      };
    },
  };
}

/** Types that protobuf messages can be read as, without the layouts of native messages. */
export function bundledTypes(bundled: SessionSchema): readonly TypeSummary[] {
  return offeredTypes(bundled, bundledSource(bundled.registry).isNameOffered);
}

/**
 * The types that messages can be read as, without map entries and without types of the shelf. @param isNameOffered
 * other types are not read
 */
export function offeredTypes(
  { registry: { messages }, shelved }: Pick<SessionSchema, 'registry' | 'shelved'>,
  isNameOffered: (fullName: string) => boolean = () => true,
): readonly TypeSummary[] {
  const isNested = ({ fullName }: MessageDescriptor): boolean => messages.has(parentOf(fullName));
  return [...messages.keys()]
    .filter(isNameOffered)
    .map((name) => messages.get(name)!)
    .filter(({ isMapEntry, file }) => !isMapEntry && !isBuiltInFile(file) && !shelved.has(file))
    .map((type) => ({ fullName: type.fullName, nested: isNested(type) }));
}
