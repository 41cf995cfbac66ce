/** Every file through the worker and through the command line: the same profiles, plan and diagnostics. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openWorker, throughCommand } from '../../src/cli/parity.testing.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

/** Schemas, explanations, and lists of what was written. All other files are inputs, their truth as JSON, too. */
const NO_INPUT = /\.(proto|md|jsonl)$|\.fds\.binpb$/;

export const parity: Check = {
  id: 'parity',
  title: 'the same answer in the page and on the command line',
  run: compareDoors,
};

async function* compareDoors(folder: string): AsyncGenerator<Finding> {
  const schemas = join(PROJECT, 'schemas');
  const bundled: { path: string; content: string }[] = [];
  for (const path of await readdir(schemas, { recursive: true })) {
    if (path.endsWith('.proto')) bundled.push({ path, content: await readFile(join(schemas, path), 'utf8') });
  }
  const worker = await openWorker([], bundled);
  try {
    for (const path of await inputsIn(folder)) {
      const differences = new Differences();
      const page = await worker.analyze(path, (await readBytes(path)) as Uint8Array<ArrayBuffer>);
      const command = await throughCommand(path, []);
      for (const key of ['groups', 'plan', 'diagnostics', 'unread', 'profiles'] as const) {
        const [ours, theirs] = [JSON.stringify(page[key]), JSON.stringify(command[key])];
        if (ours !== theirs) differences.add(`${key}: ${ours.slice(0, 200)}, not ${theirs.slice(0, 200)}`);
      }
      yield { name: relative(folder, path), differences: differences.list };
    }
  } finally {
    worker.close();
  }
}

async function inputsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !NO_INPUT.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
