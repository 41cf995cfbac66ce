/**
 * The memory of the packed command line: at most 64 bytes for each byte of its input, beside what Node.js and the rows of
 * a report take. `npx tsx scripts/command-memory.ts [NAME…]`, after `npm pack`: every command on every input, or those
 * with such names.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
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
  ['numbers', 'report', '--compressed', '--bytes', '--out', 'report', ...TYPED],
  ['branching', 'report', '--out', 'report'],
  ['packed', 'advise', ...TYPED],
  ['deep', 'bits', '--saved', 'm', ...TYPED],
  ['deep', 'analyze', '--compressed', '--json', ...TYPED],
  ['empties', 'advise', ...TYPED],
  ['words', 'advise', ...TYPED],
];

/** Prints the peak, in KiB, as the last line of the standard error stream. */
const HOOK = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";

interface Peak {
  readonly peak: number;
  readonly most: number;
  readonly isWithin: boolean;
  /** Why the command ended with code 1; null: it did not. */
  readonly refusal: string | null;
  readonly out: string;
}

/** @param size bytes of the input */
function run(command: string, folder: string, size: number, args: readonly string[]): Peak {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', HOOK, command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = stderr.trim().split('\n');
  const peak = Number(said.pop()) * 1024;
  const most = FIXED + PER_BYTE * size;
  const isWithin = (status === 0 || status === 1) && peak <= most;
  return { peak, most, isWithin, refusal: status === 1 ? (said.at(-1) ?? '') : null, out: stdout };
}

const inMib = ({ peak, most, refusal }: Peak): string =>
  `${Math.round(peak / MIB)} of ${Math.round(most / MIB)} MiB${refusal === null ? '' : `, ${refusal}`}`;

/** @param expect notes whether what it names holds */
export function checkMemory(command: string, folder: string, expect: (what: string, isTrue: boolean) => void): void {
  const check = (what: string, size: number, args: readonly string[]): void => {
    const measured = run(command, folder, size, args);
    expect(`memory of ${what}: ${inMib(measured)}`, measured.isWithin);
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

/** Each command with what it does on a file; null: it reads no messages. Files beside it have further endings. */
const EVERY: Readonly<Record<string, ((file: string) => readonly (readonly string[])[]) | null>> = {
  analyze: (file) =>
    [
      [],
      ['--by-number'],
      ['--native', 'opensearch'],
      ['--native', 'avro'],
      ['--compressed'],
      ['--encodings', 'json'],
    ].map((more) => [file, '--json', ...(more.includes('--by-number') ? more : [...more, ...TYPED])]),
  annotate: (file) => [
    [file, ...TYPED],
    [file, '--by-number'],
  ],
  messages: (file) => [[file, '--json']],
  layers: (file) => [[file, '--json']],
  matrix: (file) => [[file, ...TYPED]],
  bits: (file) => [
    [`${file}.gz`, ...TYPED],
    [file, '--saved', 'm', ...TYPED],
  ],
  diff: (file) => [[file, file, ...TYPED]],
  report: (file) => [[file, '--out', 'report', '--compressed', '--bytes', ...TYPED]],
  advise: (file) => [[file, ...TYPED]],
  compare: (file) => [['wide.proto', 'after.proto', file, '-t', 'M']],
  check: (file) => [
    [file, '--budget', 'budget.json', '--write', ...TYPED],
    [file, '--budget', 'budget.json', ...TYPED],
  ],
  figures: (file) => [[`${file}.md`, '--write']],
  map: (file) => [[file, ...TYPED]],
  merge: (file) => [[`${file}.map`, '--json']],
  open: null,
  completions: null,
  man: null,
};

const figuresOf = (file: string): string =>
  ['waterfall', 'matrix']
    .map((name) => `<!-- wirecost ${name} ${file} -s wide.proto -t M --out ${name}.svg -->\n`)
    .join('');

/** @param names parts of what is measured: `matrix numbers`; none: everything */
function measureEverything(command: string, names: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-memory-'));
  const usage = spawnSync(process.execPath, [command, '--help'], { encoding: 'utf8' }).stdout;
  const commands = [...usage.matchAll(/^(?:usage:| {6}) wirecost ([a-z]+)/gm)].map(([, name]) => name!);
  const unknown = commands.filter((name) => !Object.hasOwn(EVERY, name));
  if (unknown.length > 0) throw new Error(`No row of EVERY for ${unknown.join(', ')}.`);
  writeFileSync(join(folder, 'wide.proto'), WIDE_SCHEMA);
  writeFileSync(join(folder, 'after.proto'), WIDE_SCHEMA.replace('optional int32', 'optional int64'));
  for (const [name, make] of Object.entries(INPUTS)) {
    const file = `${name}.bin`;
    const bytes = make();
    writeFileSync(join(folder, file), bytes);
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes));
    writeFileSync(join(folder, `${file}.md`), figuresOf(file));
    writeFileSync(join(folder, `${file}.map`), run(command, folder, bytes.length, ['map', file, ...TYPED]).out);
    for (const verb of commands) {
      for (const args of EVERY[verb]?.(file) ?? []) {
        const what = [verb, name, ...args].join(' ');
        if (names.length > 0 && !names.some((part) => what.includes(part))) continue;
        const measured = run(command, folder, bytes.length, [verb, ...args]);
        console.log(`${measured.isWithin ? 'ok  ' : 'OVER'} ${what}: ${inMib(measured)}`);
        if (!measured.isWithin) process.exitCode = 1;
      }
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  measureEverything(fileURLToPath(new URL('../build/cli/main.js', import.meta.url)), process.argv.slice(2));
}
