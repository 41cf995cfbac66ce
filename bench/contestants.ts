/**
 * Who runs over a payload. The first one is what the others are compared with; memcpy says how far any reading of the
 * bytes could get. Ours are at the end: a new way of reading is one more entry there.
 */
import { type Payload, protobufjsRoot } from './payloads.ts';
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

export const contestantsFor = (payload: Payload): readonly Contestant[] => [protobufjsDecode(payload), memcpy(payload)];
