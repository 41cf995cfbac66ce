/**
 * The files every compiler brings along, google/protobuf/*.proto, gogoproto's options, and files of Google's that are
 * imported everywhere: as declarations, on demand.
 */
import { clone, create, toBinary } from '@bufbuild/protobuf';
import {
  Edition,
  FieldOptions_FeatureSupportSchema,
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
import { readFileBytes } from './descriptor-set.ts';
import { gogoText } from './gogo.ts';
import { googleText } from './google.ts';
import { resolveImports } from './imports.ts';
import { link } from './link.ts';
import { runToEnd } from './steps.ts';
import { readTextFile } from './text-file.ts';

const DESCRIPTOR = 'google/protobuf/descriptor.proto';

const GOGO = 'gogoproto/gogo.proto';
const GOGO_BY_REPOSITORY = 'github.com/gogo/protobuf/gogoproto/gogo.proto';

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

/** Features that came after the first edition, which the runtime's copy of descriptor.proto does not tell. */
const LATER_FEATURES: ReadonlyMap<string, Edition> = new Map([
  ['enforce_naming_style', Edition.EDITION_2024],
  ['default_symbol_visibility', Edition.EDITION_2024],
  ['enforce_proto_limits', Edition.EDITION_MAX],
]);

function bytesOf(proto: FileDescriptorProto): Uint8Array {
  const whole = clone(FileDescriptorProtoSchema, proto);
  for (const { options, name } of whole.messageType.find((type) => type.name === 'FeatureSet')?.field ?? []) {
    const editionIntroduced = LATER_FEATURES.get(name);
    if (editionIntroduced === undefined || options === undefined) continue;
    options.featureSupport = create(FieldOptions_FeatureSupportSchema, { editionIntroduced });
  }
  return toBinary(FileDescriptorProtoSchema, whole);
}

const declarations = new Map<string, FileDeclaration>();

export function builtInFile(path: string): FileDeclaration | undefined {
  const name = path === GOGO_BY_REPOSITORY ? GOGO : path;
  const known = declarations.get(name);
  if (known !== undefined) return known;
  const file = FILES.get(name);
  const text = name === GOGO ? gogoText() : googleText(name);
  if (file === undefined && text === undefined) return undefined;
  const declaration: FileDeclaration = file
    ? readFileBytes(bytesOf(file.proto), name)
    : // Nobody has this text open, so it has no places.
      { ...readTextFile(name, text!).file, lines: undefined };
  declarations.set(name, declaration);
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
