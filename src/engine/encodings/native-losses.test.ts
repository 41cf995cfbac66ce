import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { encode } from './encoding-row.ts';
import { encodingById, encodingSubject } from './encodings.ts';
import { NATIVE_ENCODINGS } from './native-encoding.ts';

const content = `syntax = "proto2"; package lib;
  message A { optional A child = 1; map<string, A> by_name = 2; extensions 100 to max; }
  extend A { optional string note = 100; repeated double marks = 101; optional A inner = 102; }`;
const { registry } = compileSchema([{ path: 'lib.proto', content }]);

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** @param message hex of a `lib.A` */
function lossesOf(id: string, message: string): unknown {
  const read = encodingSubject(hex(message), registry.messages.get('lib.A')!);
  if (!read.ok) throw new Error(read.reason);
  const written = encode(encodingById(id)!, read.subject);
  return written.ok ? written.losses : written.reason;
}

test.each([...NATIVE_ENCODINGS.map(({ id }) => id), 'msgpack-array', 'cbor-array'])(
  '%s: extensions have no position, wherever they are, and are counted',
  (id) => {
    expect(lossesOf(id, 'a20601 78')).toEqual({ extension: 1 });
    // In a submessage, and in the value of a map entry.
    expect(lossesOf(id, '0a04a2060178 1209 0a0178 1204a2060178')).toEqual({ extension: 2 });
    // The contents of an extension are not counted again, and its NaN is not refused.
    expect(lossesOf(id, 'b20604a2060178 aa0608000000000000f87f')).toEqual({ extension: 2 });
  },
);
