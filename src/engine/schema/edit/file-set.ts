/**
 * The files of a schema as FileDescriptorProtos, to be changed and written. Files of descriptor sets are complete
 * copies. Files of texts are made from the registry, without custom options.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { SchemaSource } from '../compile.ts';
import type { Registry } from '../descriptor.ts';
import { fileOfRegistry } from './file-of-registry.ts';

/** In the order of the registry: dependencies first. */
export function filesOf(sources: readonly SchemaSource[], registry: Registry): FileDescriptorProto[] {
  const known = new Map<string, FileDescriptorProto>();
  for (const { content } of sources) {
    if (typeof content === 'string') continue;
    for (const file of readFiles(content)) if (!known.has(file.name)) known.set(file.name, file);
  }
  return registry.files.map((file) => known.get(file.path) ?? fileOfRegistry(registry, file));
}

function readFiles(bytes: Uint8Array): readonly FileDescriptorProto[] {
  try {
    const { file } = fromBinary(FileDescriptorSetSchema, bytes);
    if (file.length > 0 && file.every(({ name }) => name !== '')) return file;
  } catch {
    // The bytes may be a single FileDescriptorProto.
  }
  try {
    return [fromBinary(FileDescriptorProtoSchema, bytes)];
  } catch {
    return [];
  }
}

/** The bytes of a FileDescriptorSet. */
export const writeFiles = (file: readonly FileDescriptorProto[]): Uint8Array =>
  toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...file] }));
