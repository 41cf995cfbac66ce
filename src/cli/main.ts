/** The process around the command line: arguments in, two streams and an exit code out. */
import { runPrinting } from './run.ts';

// The reader of our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const args = process.argv.slice(2);
// Without a command, a terminal opens the app; a script gets the usage as an error.
const { code, out, err } = await runPrinting(args.length === 0 && process.stdout.isTTY ? ['open'] : args, (part) =>
  process.stdout.write(part),
);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
