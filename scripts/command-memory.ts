/** The memory of the packed command line: at most 64 bytes for each byte of its input, beside what Node.js and the rows of a report take. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INPUTS, SCHEMAS, WIDE_SCHEMA } from './memory-inputs.ts';

const MIB = 2 ** 20;
const PER_BYTE = 64;
/** docs/security.md */
const FIXED = 256 * MIB;

const TYPED = ['-s', 'wide.proto', '-t', 'M'];

const CASES: readonly (readonly [input: keyof typeof INPUTS, command: string, ...args: string[]])[] = [
  ['numbers', 'analyze', '--json'],
  ['branching', 'analyze', '--json'],
  ['deepPaths', 'analyze', '--json', ...TYPED],
  ['deep', 'annotate', ...TYPED],
  ['empties', 'analyze', '--json', ...TYPED],
  ['groups', 'annotate', ...TYPED],
  ['packed', 'annotate', ...TYPED],
  ['texts', 'annotate', '--rows', '1000000'],
  ['messages', 'messages', '--json'],
  ['few', 'matrix', ...TYPED],
  ['packed', 'matrix', ...TYPED],
  ['empties', 'matrix', ...TYPED],
  ['numbers', 'report', '--out', 'report'],
  ['branching', 'report', '--out', 'report'],
  ['packed', 'advise', ...TYPED],
  ['empties', 'advise', ...TYPED],
  ['words', 'advise', ...TYPED],
];

/** Prints the peak, in KiB, as the last line of the standard error stream. */
const HOOK = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";

/** @param expect notes whether what it names holds */
export function checkMemory(command: string, folder: string, expect: (what: string, isTrue: boolean) => void): void {
  const check = (what: string, size: number, args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', HOOK, command, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const peak = Number(stderr.trim().split('\n').at(-1)) * 1024;
    const most = FIXED + PER_BYTE * size;
    const [used, allowed] = [peak, most].map((bytes) => Math.round(bytes / MIB));
    // 1: refused, because more memory would be needed.
    expect(`memory of ${what}: ${used} of ${allowed} MiB`, (status === 0 || status === 1) && peak <= most);
  };
  writeFileSync(join(folder, 'wide.proto'), WIDE_SCHEMA);
  for (const [name, verb, ...args] of CASES) {
    const bytes = INPUTS[name]();
    writeFileSync(join(folder, `${name}.bin`), bytes);
    check(`${verb} ${name}`, bytes.length, [verb, `${name}.bin`, ...args]);
  }
  for (const [name, made] of Object.entries(SCHEMAS)) {
    const text = made();
    writeFileSync(join(folder, name), text);
    check(`analyze with ${name}`, text.length, ['analyze', 'few.bin', '-s', name, '-t', 'M1', '--json']);
  }
}
