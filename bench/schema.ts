/**
 * Reading a descriptor set: our registry against protobufjs's `Root.fromDescriptor` on the same bytes, side by side. The
 * set is made here, so that the bench needs no file: packages of messages that use each other, as generated APIs do.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import { compileSchema, openSchema } from '#engine/schema/compile.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import { race } from './ratios.ts';

/** The library adds the method without saying so in its types. */
const Root = protobuf.Root as unknown as { readonly fromDescriptor: (bytes: Uint8Array) => protobuf.Root };

const FILES = 120;
const MESSAGES = 40;
const FIELDS = 12;
const ROUNDS = 15;

const TYPES = [
  FieldDescriptorProto_Type.STRING,
  FieldDescriptorProto_Type.INT64,
  FieldDescriptorProto_Type.BOOL,
  FieldDescriptorProto_Type.MESSAGE,
  FieldDescriptorProto_Type.DOUBLE,
];

function makeSet(): Uint8Array {
  const message = (file: number, index: number): DescriptorProto =>
    create(DescriptorProtoSchema, {
      name: `Message${index}`,
      field: Array.from({ length: FIELDS }, (_, at) => {
        const type = TYPES[(index + at) % TYPES.length]!;
        return create(FieldDescriptorProtoSchema, {
          name: `field_${at}`,
          jsonName: `field${at}`,
          number: at + 1,
          label: at % 4 === 0 ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
          type,
          ...(type === FieldDescriptorProto_Type.MESSAGE ? { typeName: `.bench.v${file}.Message${at}` } : {}),
        });
      }),
    });
  const file = Array.from({ length: FILES }, (_, at) =>
    create(FileDescriptorProtoSchema, {
      name: `bench/v${at}.proto`,
      package: `bench.v${at}`,
      syntax: 'proto3',
      messageType: Array.from({ length: MESSAGES }, (__, index) => message(at, index)),
    }),
  );
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

/** A type that is asked for once the set is read: the last one, so that nothing can stop before it. */
const ASKED = `bench.v${FILES - 1}.Message${MESSAGES - 1}`;

const fieldsOf = (registry: Registry): number => {
  let fields = 0;
  for (const message of registry.messages.values()) fields += message.fields.length;
  return fields;
};

export function measureSchema(): void {
  const bytes = makeSet();
  const sources = [{ path: 'set.binpb', content: bytes }];
  const megabytes = (bytes.length / 1e6).toFixed(1);
  console.log(`\nschema: a descriptor set of ${megabytes} MB, ${FILES * MESSAGES} messages, ${ROUNDS} rounds`);
  print('until any type can be looked up, and one is', [
    { name: 'Root.fromDescriptor', run: () => Root.fromDescriptor(bytes).lookupType(ASKED).fieldsArray.length },
    { name: 'openSchema', run: () => openSchema(sources).registry.messages.get(ASKED)!.fields.length },
  ]);
  print('until every field of every type is linked', [
    { name: 'fromDescriptor, resolveAll', run: () => Root.fromDescriptor(bytes).resolveAll().nestedArray.length },
    { name: 'openSchema, all fields', run: () => fieldsOf(openSchema(sources).registry) },
    { name: 'compileSchema (and checked)', run: () => fieldsOf(compileSchema(sources).registry) },
  ]);
}

function print(what: string, contestants: Parameters<typeof race>[0]): void {
  console.log(`${what.padEnd(46)}${'ms'.padStart(6)}${'times as fast'.padStart(16)}${'p10 – p90'.padStart(16)}`);
  for (const { name, time, ratio } of race(contestants, ROUNDS)) {
    const range = `${ratio.p10.toFixed(2)} – ${ratio.p90.toFixed(2)}`.padStart(16);
    const speed = `${ratio.median.toFixed(2)}×`.padStart(16);
    console.log(`  ${name.padEnd(44)}${(time / 1000).toFixed(0).padStart(6)}${speed}${range}`);
  }
}
