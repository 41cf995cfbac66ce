/** The process around the command line: arguments in, two streams and an exit code out. */
import { setFlagsFromString } from 'node:v8';
import { whyUnwritten } from './output/output-files.ts';
import { eraseProgress, showProgress } from './output/progress.ts';
import { runPrinting } from './run.ts';

// Code is optimized after it has run ten times as long as V8 would wait: a small input then takes a third less
// processor time, most of it the optimizer's. A large input reaches the same code some milliseconds later. Only the V8 of
// Node 20 has the flag; others print an error for it.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

// The reader of our output may stop early, as `head` does.
process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`wirecost: the output cannot be written: ${whyUnwritten(code)}\n`);
  process.exit(1);
});
process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exit(1);
});

const args = process.argv.slice(2);

// These commands, and any command with these options, hold all values of their messages at once, and Node.js lets garbage
// double that before it is collected. With the first flag, garbage is at most a third of it. Reading a capture takes a fifth
// more processor time with it.
const HOLDING: readonly (string | undefined)[] = ['advise', 'bits', 'figures', 'matrix', 'report'];
const MEASURING = /^--(?:compressed|compressor|encodings)(?:=|$)/;
if (HOLDING.includes(args[0]) || args.some((arg) => MEASURING.test(arg))) {
  setFlagsFromString('--optimize-for-size');
  // The heap's young part stays small, too: it takes up to 48 MiB otherwise.
  setFlagsFromString('--semi-space-growth-factor=1');
}

if (process.stderr.isTTY) {
  const write = (text: string): void => void process.stderr.write(text);
  showProgress({ write, width: process.stderr.columns || 80, after: 1000, between: 100 });
}

// Without a command, a terminal opens the app; a script gets the usage as an error.
const { code, out, err } = await runPrinting(args.length === 0 && process.stdout.isTTY ? ['open'] : args, (part) => {
  eraseProgress();
  return new Promise((done) => process.stdout.write(part, () => done()));
});
eraseProgress();
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
