/**
 * The time a byte of irregular messages takes to scan, as a multiple of a regular one: tiny messages, messages without a
 * schema, and random bytes. Messages come as the analysis enters them: together, some 64 KiB at a time.
 */
import { compileSchema } from '#engine/schema/compile.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { Scan } from '#engine/wire/scan.ts';
import { makePayload, SCHEMA_PATH, SCHEMA_TEXT } from './payloads.ts';
import { seeded } from './random.ts';
import { type Contestant, race } from './ratios.ts';

const SIZE = 50_000_000;
const ROUNDS = 7;
const TOGETHER = 65536;
const MOST = 4096;
const ODD_SIZE = 100;

export function measureIrregular(): void {
  const { registry } = compileSchema([{ path: SCHEMA_PATH, content: SCHEMA_TEXT }]);
  const regular = makePayload('trace', SIZE);
  const type = registry.messages.get(regular.type)!;
  const attribute = registry.messages.get('bench.Attribute')!;
  const [tiny, tinyEnds] = tinyMessages();
  const odd = seeded(5).bytes(SIZE);
  const oddEnds = Uint32Array.from({ length: SIZE / ODD_SIZE }, (_, at) => (at + 1) * ODD_SIZE);
  const contestants = [
    scan('regular', regular.bytes, Uint32Array.from(regular.ends), type),
    scan('tiny, 9 bytes', tiny, tinyEnds, attribute),
    scan('tiny, no schema', tiny, tinyEnds, undefined),
    scan('random, 100 bytes', odd, oddEnds, type),
    scan('random, no schema', odd, oddEnds, undefined),
  ];
  console.log(`\nirregular: ${SIZE / 1e6} MB each, ${ROUNDS} rounds; time a byte as a multiple of the regular one's`);
  for (const { name, time, ratio } of race(contestants, ROUNDS)) {
    const speed = (SIZE / time).toFixed(0).padStart(8);
    const range = `${(1 / ratio.p90).toFixed(2)} – ${(1 / ratio.p10).toFixed(2)}`.padStart(16);
    console.log(`${name.padEnd(22)}${speed}${`${(1 / ratio.median).toFixed(2)}×`.padStart(16)}${range}`);
  }
}

/** A key, and a value that holds a number. */
function tinyMessages(): readonly [bytes: Uint8Array, ends: Uint32Array] {
  const message = [0x0a, 3, 97, 98, 99, 0x12, 2, 0x18];
  const size = message.length + 1;
  const ends = Uint32Array.from({ length: Math.floor(SIZE / size) }, (_, at) => (at + 1) * size);
  const bytes = new Uint8Array(ends.length * size);
  for (let at = 0; at < ends.length; at++) {
    bytes.set(message, at * size);
    bytes[at * size + message.length] = at & 127;
  }
  return [bytes, ends];
}

function scan(name: string, bytes: Uint8Array, ends: Uint32Array, type: MessageDescriptor | undefined): Contestant {
  return {
    name,
    run: () => {
      const statistics = new Scan(type);
      let start = 0;
      for (let first = 0; first < ends.length; ) {
        let count = 1;
        while (count < MOST && first + count < ends.length && ends[first + count]! - start <= TOGETHER) count++;
        statistics.addMany(bytes, start, ends, first, count);
        first += count;
        start = ends[first - 1]!;
      }
      return statistics.bytes;
    },
  };
}
