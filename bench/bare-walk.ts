/** The bare walk of kernel/bare-walk.ts, compiled on first use. It is only a reference for the benchmark. */
import asc from 'assemblyscript/asc';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
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
}

export async function bareWalk({ bytes, ends }: Payload, descriptor: MessageDescriptor): Promise<Contestant> {
  const { memory, walk } = new WebAssembly.Instance(await compile()).exports as unknown as Exports;
  const longest = ends.reduce((most, end, index) => Math.max(most, end - (ends[index - 1] ?? 0)), 0);
  memory.grow(Math.ceil((MESSAGE + longest + 16) / 65536));
  const words = new Uint32Array(memory.buffer, TABLES);
  const types = [descriptor];
  for (let type = 0; type < types.length; type++) {
    for (const { number, message } of types[type]!.fields) {
      if (message === undefined) continue;
      if (!types.includes(message)) types.push(message);
      words[type * WORDS + number * 8 + 2] = 1 + types.indexOf(message);
    }
  }
  const target = new Uint8Array(memory.buffer, MESSAGE);
  return {
    name: 'bare walk',
    run: () => {
      let start = 0;
      let records = 0;
      for (const end of ends) {
        target.set(bytes.subarray(start, end));
        records += walk(MESSAGE + end - start);
        start = end;
      }
      return records;
    },
  };
}
