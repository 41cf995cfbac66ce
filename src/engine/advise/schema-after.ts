/** The schema after changes, as the files that protoc would write. */
import type { SchemaSource } from '../schema/compile.ts';
import type { Registry } from '../schema/descriptor.ts';
import { editFiles } from '../schema/edit/edit-files.ts';
import { filesOf, writeFiles } from '../schema/edit/file-set.ts';
import type { SchemaEdits } from '../schema/edit/schema-edits.ts';

/** Bytes of a FileDescriptorSet with the edits applied. @param includes which files belong to it, by path */
export function schemaAfter(
  sources: readonly SchemaSource[],
  registry: Registry,
  edits: SchemaEdits,
  includes: (path: string) => boolean = () => true,
): Uint8Array {
  const files = filesOf(sources, registry).filter(({ name }) => includes(name));
  editFiles(files, edits);
  return writeFiles(files);
}
