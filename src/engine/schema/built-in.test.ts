/** The files of google/protobuf/ that ship are those of protobuf-es. `vitest -u` writes them anew after its update. */
import { toBinary } from '@bufbuild/protobuf';
import {
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
import { expect, test } from 'vitest';

const FILES = {
  any: file_google_protobuf_any,
  api: file_google_protobuf_api,
  descriptor: file_google_protobuf_descriptor,
  duration: file_google_protobuf_duration,
  empty: file_google_protobuf_empty,
  field_mask: file_google_protobuf_field_mask,
  source_context: file_google_protobuf_source_context,
  struct: file_google_protobuf_struct,
  timestamp: file_google_protobuf_timestamp,
  type: file_google_protobuf_type,
  wrappers: file_google_protobuf_wrappers,
};

test('built-in-files.ts holds the descriptors of protobuf-es', async () => {
  const rows = Object.entries(FILES).map(([name, { proto }]) => {
    const bytes = toBinary(FileDescriptorProtoSchema, proto);
    return `  'google/protobuf/${name}.proto':\n    '${Buffer.from(bytes).toString('base64')}',\n`;
  });
  const text = `/** FileDescriptorProto of each file as base64, from protobuf-es; written by \`built-in.test.ts\`. */
export const BUILT_IN_FILES: Readonly<Record<string, string>> = {
${rows.join('')}};
`;
  await expect(text).toMatchFileSnapshot('./built-in-files.ts');
});
