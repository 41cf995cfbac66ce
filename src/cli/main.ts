/** The process around the command line: arguments in, two streams and an exit code out. */
import { run } from './run.ts';

const { code, out, err } = await run(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
