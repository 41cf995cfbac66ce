/** The files of google/protobuf/ that ship are those of protobuf-es. `vitest -u` writes them anew after its update. */
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { WELL_KNOWN_FILES } from '#testing/schema-facts.ts';

test('built-in-files.ts holds the descriptors of protobuf-es', async () => {
  const files = WELL_KNOWN_FILES.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = files.map(({ proto, name }) => {
    const bytes = toBinary(FileDescriptorProtoSchema, proto);
    return `  '${name}.proto':\n    '${Buffer.from(bytes).toString('base64')}',\n`;
  });
  const text = `/** FileDescriptorProto of each file as base64, from protobuf-es; written by \`built-in.test.ts\`. */
export const BUILT_IN_FILES: Readonly<Record<string, string>> = {
${rows.join('')}};
`;
  await expect(text).toMatchFileSnapshot('./built-in-files.ts');
});
