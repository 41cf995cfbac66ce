/** Files that ship to be imported (src/imports), and the packages that have the real ones. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { jsonNameOf } from '#engine/schema/names.ts';
import { fetchPackage, type Package } from './packages.ts';
import { PROTOC } from './protoc.ts';
import { GATEWAY, GOGO_ROOTS, GOOGLEAPIS, type Root, XDS } from './trees.ts';

interface Imported {
  readonly roots: readonly Root[];
  readonly files: readonly string[];
}

const within = (folder: string, names: string): readonly string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${folder}/${name}.proto`);

export const IMPORTED: readonly Imported[] = [
  {
    roots: [GOOGLEAPIS],
    files: [
      ...within(
        'google/api',
        `annotations client field_behavior field_info http httpbody label launch_stage metric monitored_resource resource
        routing visibility`,
      ),
      ...within('google/longrunning', 'operations'),
      ...within('google/rpc', 'code error_details status'),
      ...within(
        'google/type',
        `calendar_period color date datetime dayofweek decimal expr fraction interval latlng localized_text money month
        phone_number postal_address quaternion timeofday`,
      ),
    ],
  },
  {
    roots: [{ package: PROTOC, folder: 'grpc_tools/_proto' }],
    files: within('google/protobuf', 'cpp_features go_features java_features'),
  },
  { roots: GOGO_ROOTS, files: ['gogoproto/gogo.proto'] },
  {
    roots: [{ package: { registry: 'go', name: 'github.com/envoyproxy/protoc-gen-validate', version: 'v1.3.3' } }],
    files: ['validate/validate.proto'],
  },
  {
    roots: [
      { package: XDS, folder: 'deps/protoc-gen-validate' },
      { package: XDS, folder: 'deps/xds' },
    ],
    files: [
      ...within('udpa/annotations', 'migrate security sensitive status versioning'),
      ...within('xds/annotations/v3', 'migrate security sensitive status versioning'),
    ],
  },
  { roots: [GATEWAY], files: within('protoc-gen-openapiv2/options', 'annotations openapiv2') },
];

const PROTOVALIDATE: Package = { registry: 'npm', name: '@bufbuild/protovalidate', version: '1.3.0' };

/** `buf/validate/validate.proto` is in no package as text; its descriptor is, in the code made from it. */
export async function protovalidateSet(cache: string): Promise<Uint8Array> {
  const folder = await fetchPackage(PROTOVALIDATE, cache);
  const code = await readFile(join(folder, 'dist/esm/gen/buf/validate/validate_pb.js'), 'utf8');
  const [, base64 = ''] = /fileDesc\("([^"]+)"/.exec(code) ?? [];
  const file = fromBinary(FileDescriptorProtoSchema, new Uint8Array(Buffer.from(base64, 'base64')));
  if (!file.name.endsWith('.proto')) file.name += '.proto';
  const [, imported = ''] = /fileDesc\("[^"]+", \[([^\]]*)\]/.exec(code) ?? [];
  file.dependency = [...imported.matchAll(/file_google_protobuf_(\w+)/g)].map(
    ([, name]) => `google/protobuf/${name}.proto`,
  );
  // Generated code leaves out what follows from the names.
  const messages = [...file.messageType];
  for (const message of messages) {
    messages.push(...message.nestedType);
    for (const field of message.field) field.jsonName ||= jsonNameOf(field.name);
  }
  for (const field of file.extension) field.jsonName ||= `[${file.package}.${field.name}]`;
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
}
