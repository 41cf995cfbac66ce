/** The two walks of kernel/bare-walk.ts, compiled on first use. They are only references for the benchmark. */
import asc from 'assemblyscript/asc';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { wireTypeOf } from '#engine/schema/wire-types.ts';
import type { Payload } from './payloads.ts';
import type { Contestant } from './ratios.ts';

const TABLES = 65536;
const MESSAGE = 1048576;
const WORDS = 128;

async function compile(): Promise<WebAssembly.Module> {
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const options = ['--runtime', 'stub', '-O3', '--converge', '--noAssert', '--enable', 'simd'];
  const { error, stderr } = await asc.main(['bench/kernel/bare-walk.ts', '--outFile', 'walk.wasm', ...options], {
    writeFile(name, contents) {
      if (name === 'walk.wasm') binary = contents as Uint8Array<ArrayBuffer>;
    },
  });
  if (error !== null || binary === undefined) throw new Error(`The bare walk does not compile.\n${stderr.toString()}`);
  return new WebAssembly.Module(binary);
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  walk(end: number): number;
  checkedWalk(end: number): number;
}

/** As in kernel/bare-walk.ts. */
const KIND_BITS = 3;
const KINDS: Readonly<Record<number, number>> = { 0: 1, 1: 2, 5: 3, 2: 4 };
const MESSAGES = 5;

/** The one that trusts its input, and the one that checks it. */
export async function bareWalks(
  { bytes, ends }: Payload,
  descriptor: MessageDescriptor,
): Promise<readonly Contestant[]> {
  const { memory, walk, checkedWalk } = new WebAssembly.Instance(await compile()).exports as unknown as Exports;
  const longest = ends.reduce((most, end, index) => Math.max(most, end - (ends[index - 1] ?? 0)), 0);
  memory.grow(Math.ceil((MESSAGE + longest + 16) / 65536));
  const words = new Uint32Array(memory.buffer, TABLES);
  const types = [descriptor];
  for (let type = 0; type < types.length; type++) {
    for (const field of types[type]!.fields) {
      const { number, message } = field;
      if (message !== undefined) {
        if (!types.includes(message)) types.push(message);
        words[type * WORDS + number * 8 + 2] = ((1 + types.indexOf(message)) << KIND_BITS) | MESSAGES;
        continue;
      }
      const wireType = field.packed ? 2 : wireTypeOf(field.type);
      words[type * WORDS + number * 8 + wireType] = KINDS[wireType]!;
    }
  }
  const target = new Uint8Array(memory.buffer, MESSAGE);
  const contestant = (name: string, walkTo: (end: number) => number): Contestant => ({
    name,
    run: () => {
      let start = 0;
      let records = 0;
      for (const end of ends) {
        target.set(bytes.subarray(start, end));
        records += walkTo(MESSAGE + end - start);
        start = end;
      }
      return records;
    },
  });
  const both = [contestant('bare walk', walk), contestant('checked walk', checkedWalk)];
  const [records, checked] = both.map(({ run }) => run());
  if (records !== checked) throw new Error(`The walks differ: ${records} and ${checked} records.`);
  return both;
}
