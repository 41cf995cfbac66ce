/** The files every compiler brings along, google/protobuf/*.proto, as declarations, on demand. */
import { toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_api,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_source_context,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import type { FileDeclaration } from './declaration.ts';
import type { MessageDescriptor, Registry } from './descriptor.ts';
import { resolveImports } from './imports.ts';
import { link } from './link/link.ts';
import { readFileBytes } from './set/descriptor-set.ts';
import { runToEnd } from './steps.ts';

const DESCRIPTOR = 'google/protobuf/descriptor.proto';

/** The path comes from here and not from the descriptor, which names it without its ending. */
const FILES: ReadonlyMap<string, { readonly proto: FileDescriptorProto }> = new Map([
  ['google/protobuf/any.proto', file_google_protobuf_any],
  ['google/protobuf/api.proto', file_google_protobuf_api],
  [DESCRIPTOR, file_google_protobuf_descriptor],
  ['google/protobuf/duration.proto', file_google_protobuf_duration],
  ['google/protobuf/empty.proto', file_google_protobuf_empty],
  ['google/protobuf/field_mask.proto', file_google_protobuf_field_mask],
  ['google/protobuf/source_context.proto', file_google_protobuf_source_context],
  ['google/protobuf/struct.proto', file_google_protobuf_struct],
  ['google/protobuf/timestamp.proto', file_google_protobuf_timestamp],
  ['google/protobuf/type.proto', file_google_protobuf_type],
  ['google/protobuf/wrappers.proto', file_google_protobuf_wrappers],
]);

const declarations = new Map<string, FileDeclaration>();

export function builtInFile(path: string): FileDeclaration | undefined {
  const known = declarations.get(path);
  if (known !== undefined) return known;
  const file = FILES.get(path);
  if (file === undefined) return undefined;
  const declaration = readFileBytes(toBinary(FileDescriptorProtoSchema, file.proto), path);
  declarations.set(path, declaration);
  return declaration;
}

let options: Registry | undefined;

/** google.protobuf.FieldOptions and its like, for schemas that do not bring descriptor.proto themselves. */
export function builtInOptionsMessage(name: string): MessageDescriptor | undefined {
  if (options === undefined) {
    const silent = () => {};
    const graph = resolveImports([builtInFile(DESCRIPTOR)!], builtInFile, silent);
    options = runToEnd(link(graph, () => undefined, silent)).registry;
  }
  return options.messages.get(name);
}
