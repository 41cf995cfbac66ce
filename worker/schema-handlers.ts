/** Schema files → the registry that the other calls look types up in. */
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import type { HandlersOf } from './protocol.ts';
import type { SchemaApi } from './schema-api.ts';
import type { Session } from './session-state.ts';

export const schemaHandlers = (session: Session): HandlersOf<SchemaApi> => ({
  setBundled({ files }) {
    session.bundled = compileSchema(files).registry;
    return summarizeTypes(session.bundled);
  },

  setSchema({ files, shelf = [] }) {
    const { registry, symbols, diagnostics, missing } = compileSchema([...files, ...shelf]);
    const misused = checkNativeOptions({ registry, symbols });
    const shelved = new Set(shelf.map(({ path }) => path));
    session.schema = { registry, symbols, shelved };
    return {
      files: registry.files.map(({ path }) => path).filter((path) => !shelved.has(path)),
      types: summarizeTypes(registry).filter(({ file }) => !shelved.has(file)),
      missing,
      diagnostics: [...diagnostics, ...misused],
    };
  },
});

function summarizeTypes({ messages }: Registry) {
  const isNested = ({ fullName }: MessageDescriptor): boolean =>
    messages.has(fullName.slice(0, Math.max(0, fullName.lastIndexOf('.'))));
  return [...messages.values()]
    .filter(({ isMapEntry, file }) => !isMapEntry && !file.startsWith('google/protobuf/'))
    .map((type) => ({
      fullName: type.fullName,
      file: type.file,
      fields: type.fields.length,
      nested: isNested(type),
    }));
}
