/**
 * `npm run kernel`: src/engine/wire/kernel (AssemblyScript) → src/engine/wire/kernel-code.ts, which is committed, so that
 * nobody needs the compiler to run the app. `kernel.test.ts` compiles again and holds the file to its source.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../', import.meta.url));
export const KERNEL_CODE = `${root}src/engine/wire/kernel-code.ts`;

/** Pages of 64 KiB that kernel-memory.ts lays out before the message. */
const FIRST_PAGES = 43 * 16 + 1;

/** The text of kernel-code.ts. */
export async function compileKernel(): Promise<string> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      'src/engine/wire/kernel/main.ts',
      ...['--outFile', 'kernel.wasm', '--runtime', 'stub', '--initialMemory', String(FIRST_PAGES)],
      ...['-O3', '--converge', '--noAssert', '--enable', 'simd', '--enable', 'bulk-memory'],
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
  writeFileSync(KERNEL_CODE, await compileKernel());
}
