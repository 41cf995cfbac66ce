/**
 * The contestants of a race over a payload. The others are compared with the first one; memcpy is the upper bound of
 * any reader. Ours are at the end: a new way of reading is one more entry there.
 */

import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { Scan } from '#engine/wire/scan.ts';
import { bareWalks } from './bare-walk.ts';
import { type Payload, protobufjsRoot, SCHEMA_PATH, SCHEMA_TEXT } from './payloads.ts';
import type { Contestant } from './ratios.ts';

function protobufjsDecode({ bytes, ends, type }: Payload): Contestant {
  const decoder = protobufjsRoot.lookupType(type);
  return {
    name: 'protobufjs decode',
    run: () => {
      let start = 0;
      let sum = 0;
      for (const end of ends) {
        sum += Object.keys(decoder.decode(bytes.subarray(start, end))).length;
        start = end;
      }
      return sum;
    },
  };
}

/** The library adds the method without saying so in its types. */
interface WithDescriptors {
  toDescriptor(syntax: string): {
    readonly $type: protobuf.Type;
    readonly file: readonly {
      readonly package: string;
      readonly messageType: readonly { readonly field: readonly { typeName: string }[] }[];
    }[];
  };
}

/** protobuf-es, by the descriptors of the same file. */
function protobufEs({ bytes, ends, type }: Payload): Contestant {
  const files = (protobufjsRoot as unknown as WithDescriptors).toDescriptor('proto3');
  // protobufjs names types as their text does, protobuf-es wants their full names.
  for (const { package: scope, messageType } of files.file) {
    for (const field of messageType.flatMap((declared) => declared.field)) {
      if (field.typeName !== '') field.typeName = `.${scope}.${field.typeName}`;
    }
  }
  const set = files.$type.encode(files).finish();
  const message = createFileRegistry(fromBinary(FileDescriptorSetSchema, set)).getMessage(type);
  if (message === undefined) throw new Error(`${type} is not in ${SCHEMA_PATH}`);
  return {
    name: 'protobuf-es',
    run: () => {
      let start = 0;
      let sum = 0;
      for (const end of ends) {
        sum += Object.keys(fromBinary(message, bytes.subarray(start, end))).length;
        start = end;
      }
      return sum;
    },
  };
}

function memcpy({ bytes }: Payload): Contestant {
  const target = new Uint8Array(bytes.length);
  return {
    name: 'memcpy',
    run: () => {
      target.set(bytes);
      return target[target.length - 1]!;
    },
  };
}

function descriptorOf(type: string): MessageDescriptor {
  const { registry } = compileSchema([{ path: SCHEMA_PATH, content: SCHEMA_TEXT }]);
  const descriptor = registry.messages.get(type);
  if (descriptor === undefined) throw new Error(`${type} is not in ${SCHEMA_PATH}`);
  return descriptor;
}

function scan({ bytes, ends }: Payload, descriptor: MessageDescriptor): Contestant {
  return {
    name: 'scan',
    run: () => {
      const statistics = new Scan(descriptor);
      let start = 0;
      let flags = 0;
      for (const end of ends) {
        flags |= statistics.add(bytes, start, end);
        start = end;
      }
      return flags + statistics.bytes;
    },
  };
}

/** Borrowed: as messages are read whose tables are not kept. */
function annotateEach({ bytes, ends }: Payload, descriptor: MessageDescriptor, isBorrowed: boolean): Contestant {
  return {
    name: isBorrowed ? 'annotate' : 'annotate, kept',
    run: () => {
      let start = 0;
      let rows = 0;
      for (const end of ends) {
        rows += annotate(bytes.subarray(start, end), descriptor, { isBorrowed }).table.length;
        start = end;
      }
      return rows;
    },
  };
}

/** The same values as a native stream. */
function nativeRead({ bytes, ends }: Payload, descriptor: MessageDescriptor): Contestant {
  const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);
  const layout = layoutOf(descriptor);
  const messages = ends.map((end, index) => {
    const message = bytes.subarray(index === 0 ? 0 : ends[index - 1], end);
    return writeNative(message, annotate(message, descriptor).table, layout, layoutOf).bytes;
  });
  return {
    name: 'native read',
    run: () => messages.reduce((rows, message) => rows + readNative(message, layout, layoutOf).table.length, 0),
  };
}

/** Memory of all messages' tables, divided by their rows. */
export function bytesPerRow({ bytes, ends, type }: Payload): number {
  const descriptor = descriptorOf(type);
  let rows = 0;
  let held = 0;
  let start = 0;
  // Shared by many tables.
  const kinds = new Set<Int32Array>();
  for (const end of ends) {
    const { table } = annotate(bytes.subarray(start, end), descriptor);
    rows += table.length;
    const { cells, farParents, rareFields } = table;
    held += cells.byteLength + farParents.byteLength + rareFields.byteLength;
    kinds.add(table.kinds);
    start = end;
  }
  for (const { byteLength } of kinds) held += byteLength;
  return held / rows;
}

export async function contestantsFor(payload: Payload): Promise<readonly Contestant[]> {
  const descriptor = descriptorOf(payload.type);
  const all = [
    protobufjsDecode(payload),
    protobufEs(payload),
    memcpy(payload),
    ...(await bareWalks(payload, descriptor)),
    scan(payload, descriptor),
    annotateEach(payload, descriptor, true),
    annotateEach(payload, descriptor, false),
  ];
  return payload.kind === 'search-hit' ? [...all, nativeRead(payload, descriptor)] : all;
}
