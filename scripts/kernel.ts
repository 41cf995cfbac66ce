/**
 * `npm run kernel`: each kernel/ of the engine (AssemblyScript) → the kernel-code.ts beside it, which is committed, so
 * that the app runs without the compiler. `kernel.test.ts` compiles again and compares the files.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../', import.meta.url));

interface KernelSource {
  readonly folder: string;
  /** Pages of 64 KiB that its kernel-memory.ts lays out, and the start of the memory after them. */
  readonly pages: number;
}

export const KERNELS: readonly KernelSource[] = [
  { folder: 'src/engine/wire', pages: 107 * 16 + 1 },
  { folder: 'src/engine/compression', pages: 16 },
  { folder: 'src/engine/compression/bits', pages: 24 },
];

export const codeFile = ({ folder }: KernelSource): string => `${root}${folder}/kernel-code.ts`;

/** The text of a kernel-code.ts. */
export async function compileKernel({ folder, pages }: KernelSource): Promise<string> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      `${folder}/kernel/main.ts`,
      ...['--outFile', 'kernel.wasm', '--runtime', 'stub', '--initialMemory', String(pages)],
      ...['-O3', '--converge', '--noAssert', '--enable', 'simd', '--enable', 'bulk-memory'],
      // The same code with its most used variables first, which compresses better.
      ...['--runPasses', 'reorder-locals'],
    ],
    {
      writeFile(name, contents) {
        if (name === 'kernel.wasm') binary = contents as Uint8Array;
      },
    },
  );
  if (error !== null || binary === undefined) throw new Error(`The kernel does not compile.\n${stderr.toString()}`);
  const text = Buffer.from(binary).toString('base64');
  return `/** Made from kernel/ by \`npm run kernel\`: WebAssembly, as base64. */\nexport const KERNEL_CODE =\n  '${text}';\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const kernel of KERNELS) writeFileSync(codeFile(kernel), await compileKernel(kernel));
}
