/** Arguments → the command they name. Everything but printing and exiting happens below here. */
import { ADVISE_USAGE, adviseCommand } from './advise-command.ts';
import { ANALYZE_USAGE, analyzeCommand } from './analyze-command.ts';
import { ANNOTATE_USAGE, annotateCommand } from './annotate-command.ts';
import { BadArguments } from './arguments.ts';
import { BITS_USAGE, bitsCommand } from './bits-command.ts';
import { CHECK_USAGE, checkCommand } from './check-command.ts';
import { COMPARE_USAGE, compareCommand } from './compare-command.ts';
import { DIFF_USAGE, diffCommand } from './diff-command.ts';
import { FIGURES_USAGE, figuresCommand } from './figures-command.ts';
import { LAYERS_USAGE, layersCommand } from './layers-command.ts';
import { MATRIX_USAGE, matrixCommand } from './matrix-command.ts';
import { MESSAGES_USAGE, messagesCommand } from './messages-command.ts';
import { failure, type Outcome, Refusal, success } from './outcome.ts';
import './provide-brotli.ts';
import { REPORT_USAGE, reportCommand } from './report-command.ts';

const COMMANDS = {
  analyze: { usage: ANALYZE_USAGE, run: analyzeCommand },
  annotate: { usage: ANNOTATE_USAGE, run: annotateCommand },
  messages: { usage: MESSAGES_USAGE, run: messagesCommand },
  layers: { usage: LAYERS_USAGE, run: layersCommand },
  matrix: { usage: MATRIX_USAGE, run: matrixCommand },
  bits: { usage: BITS_USAGE, run: bitsCommand },
  diff: { usage: DIFF_USAGE, run: diffCommand },
  report: { usage: REPORT_USAGE, run: reportCommand },
  advise: { usage: ADVISE_USAGE, run: adviseCommand },
  compare: { usage: COMPARE_USAGE, run: compareCommand },
  check: { usage: CHECK_USAGE, run: checkCommand },
  figures: { usage: FIGURES_USAGE, run: figuresCommand },
} as const;

const USAGE = `What every field of a message costs on the wire.

usage: wirecost analyze INPUT... [options]    the cost of every field, protobuf against native
       wirecost annotate INPUT [options]      one message, row by row
       wirecost messages CAPTURE [options]    what a capture holds, a line each
       wirecost layers CAPTURE                what the bytes of a capture are spent on
       wirecost matrix INPUT... [options]     every encoding, before and after every compressor
       wirecost bits COMPRESSED               what every field pays after compression
       wirecost diff A B                      what changes from one input to another, by field and cause
       wirecost report INPUT... --out DIR     the analysis as a page with its figures
       wirecost advise INPUT... -s SCHEMA     what should change, measured by re-encoding
       wirecost compare BEFORE AFTER [INPUT]  two versions of a schema: what breaks, what it costs
       wirecost check INPUT... --budget FILE  whether a message has grown, and why
       wirecost figures DOC.md                whether a document's figures are still true
       wirecost COMMAND --help                what a command takes
`;

/** @param args without the program's name */
export async function run(args: readonly string[]): Promise<Outcome> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return success(USAGE);
  if (name === undefined) return { ...failure('no command'), err: success(USAGE).out };
  if (!Object.hasOwn(COMMANDS, name)) return failure(`Unknown command ${name}`, [USAGE]);
  const command = COMMANDS[name as keyof typeof COMMANDS];
  if (rest.includes('--help') || rest.includes('-h')) return success(command.usage);
  try {
    return await command.run(rest);
  } catch (error) {
    if (error instanceof BadArguments) return failure(error.message, [command.usage]);
    if (error instanceof Refusal) return failure(error.message, error.notes);
    throw error;
  }
}
