/** The files of google/protobuf/ that ship are those of protobuf-es. `vitest -u` writes them anew after its update. */
import { clone, create, type DescFile, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProto_ReservedRangeSchema,
  EnumDescriptorProto_EnumReservedRangeSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { WELL_KNOWN_FILES } from '#testing/schema-facts.ts';

/**
 * Reserved ranges and names of descriptor.proto of protobuf 35.1, which protobuf-es leaves out. Names are in
 * `descriptor.proto`'s order.
 */
const RESERVED: Readonly<Record<string, readonly (number | string)[]>> = {
  'ExtensionRangeOptions.Declaration': [4],
  ServiceDescriptorProto: [4, 'stream'],
  FileOptions: [42, 'php_generic_services', 38],
  MessageOptions: [4, 5, 6, 8, 9],
  FieldOptions: [4, 18],
  EnumOptions: [5],
  FeatureSet: [999],
  'FeatureSetDefaults.FeatureSetEditionDefault': [1, 2, 'features'],
};

function messageAt(messages: readonly DescriptorProto[], path: string): DescriptorProto | undefined {
  const [first, ...rest] = path.split('.');
  const found = messages.find(({ name }) => name === first);
  return rest.length === 0 || found === undefined ? found : messageAt(found.nestedType, rest.join('.'));
}

function withReserved({ proto }: DescFile): DescFile['proto'] {
  const file = clone(FileDescriptorProtoSchema, proto);
  const reserve = (path: string, start: number, end: number) =>
    messageAt(file.messageType, path)!.reservedRange.push(create(DescriptorProto_ReservedRangeSchema, { start, end }));
  for (const [path, reserved] of Object.entries(RESERVED)) {
    for (const one of reserved) {
      if (typeof one === 'number') reserve(path, one, one + 1);
      else messageAt(file.messageType, path)!.reservedName.push(one);
    }
  }
  reserve('FeatureSet.VisibilityFeature', 1, 2 ** 29);
  // The last number of an enum's range is in it.
  const numbers = create(EnumDescriptorProto_EnumReservedRangeSchema, { start: 1, end: 1 });
  const { enumType } = messageAt(file.messageType, 'FeatureSet')!;
  enumType.find(({ name }) => name === 'Utf8Validation')!.reservedRange.push(numbers);
  return file;
}

test('built-in-files.ts holds the descriptors of protobuf-es', async () => {
  const files = WELL_KNOWN_FILES.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = files.map((file) => {
    const proto = file.name.endsWith('/descriptor') ? withReserved(file) : file.proto;
    const bytes = toBinary(FileDescriptorProtoSchema, proto);
    return `  '${file.name}.proto':\n    '${Buffer.from(bytes).toString('base64')}',\n`;
  });
  const text = `/**
 * FileDescriptorProto of each file as base64, from protobuf-es, with the reserved ranges of descriptor.proto added.
 * Written by \`built-in.test.ts\`.
 */
export const BUILT_IN_FILES: Readonly<Record<string, string>> = {
${rows.join('')}};
`;
  await expect(text).toMatchFileSnapshot('./built-in-files.ts');
});
