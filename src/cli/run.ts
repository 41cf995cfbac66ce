/** Arguments → the outcome of their command. It does everything except printing and exiting. */
import { APP_VERSION } from '#permalink/app-version.ts';
import { joinLines, type Terminal } from '#wording/escape.ts';
import { withReadFiles } from './inputs/read-files.ts';
import { BadArguments } from './options/arguments.ts';
import { EXAMPLES, placedExample } from './options/examples.ts';
import { meantWords } from './options/nearest.ts';
import { wrapUsage } from './options/wrap-usage.ts';
import { failure, misuse, type Outcome, type Print, Refusal, success } from './output/outcome.ts';
import { HOME } from './shipped-files.ts';
import './provide-brotli.ts';

interface Command {
  readonly usage: string;
  readonly run: (args: readonly string[], print: Print) => Promise<Outcome>;
}

/** A command's code is loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  analyze: async () => {
    const { ANALYZE_USAGE: usage, analyzeCommand: run } = await import('./commands/analyze-command.ts');
    return { usage, run };
  },
  annotate: async () => {
    const { ANNOTATE_USAGE: usage, annotateCommand: run } = await import('./commands/annotate-command.ts');
    return { usage, run };
  },
  messages: async () => {
    const { MESSAGES_USAGE: usage, messagesCommand: run } = await import('./commands/messages-command.ts');
    return { usage, run };
  },
  layers: async () => {
    const { LAYERS_USAGE: usage, layersCommand: run } = await import('./commands/layers-command.ts');
    return { usage, run };
  },
  matrix: async () => {
    const { MATRIX_USAGE: usage, matrixCommand: run } = await import('./commands/matrix-command.ts');
    return { usage, run };
  },
  bits: async () => {
    const { BITS_USAGE: usage, bitsCommand: run } = await import('./commands/bits-command.ts');
    return { usage, run };
  },
  diff: async () => {
    const { DIFF_USAGE: usage, diffCommand: run } = await import('./commands/diff-command.ts');
    return { usage, run };
  },
  report: async () => {
    const { REPORT_USAGE: usage, reportCommand: run } = await import('./commands/report-command.ts');
    return { usage, run };
  },
  advise: async () => {
    const { ADVISE_USAGE: usage, adviseCommand: run } = await import('./commands/advise-command.ts');
    return { usage, run };
  },
  compare: async () => {
    const { COMPARE_USAGE: usage, compareCommand: run } = await import('./commands/compare-command.ts');
    return { usage, run };
  },
  check: async () => {
    const { CHECK_USAGE: usage, checkCommand: run } = await import('./commands/check-command.ts');
    return { usage, run };
  },
  figures: async () => {
    const { FIGURES_USAGE: usage, figuresCommand: run } = await import('./commands/figures-command.ts');
    return { usage, run };
  },
  map: async () => {
    const { MAP_USAGE: usage, mapCommand: run } = await import('./commands/map-command.ts');
    return { usage, run };
  },
  merge: async () => {
    const { MERGE_USAGE: usage, mergeCommand: run } = await import('./commands/merge-command.ts');
    return { usage, run };
  },
  open: async () => {
    const { OPEN_USAGE: usage, openCommand: run } = await import('./commands/open-command.ts');
    return { usage, run };
  },
  completions: async () => {
    const { COMPLETIONS_USAGE: usage, completionsCommand } = await import('./commands/completions-command.ts');
    return { usage, run: async (args) => completionsCommand(args, await usages()) };
  },
  man: async () => {
    const { MAN_USAGE: usage, manCommand, showPage } = await import('./commands/man-command.ts');
    const show = process.stdout.isTTY ? showPage : null;
    return { usage, run: async (args) => manCommand(args, await usages(), USAGE, APP_VERSION, show) };
  },
};

/** A command's usage with its examples. */
const helpOf = (name: string, command: Command): string => {
  const usage = wrapUsage(command.usage);
  const isPacked = import.meta.url.endsWith('.js');
  const lines = (EXAMPLES[name] ?? []).map((line) => placedExample(line, HOME, isPacked, process.cwd()));
  return lines.length === 0 ? usage : `${usage}\nexamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
};

async function usages(): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(COMMANDS);
  return new Map(await Promise.all(names.map(async (name) => [name, helpOf(name, await COMMANDS[name]!())] as const)));
}

const USAGE = `What every field of a message costs on the wire.

usage: wirecost analyze INPUT... [options]    the cost of every field
       wirecost annotate INPUT [options]      one message, row by row
       wirecost messages CAPTURE [options]    the messages of a capture, one per line
       wirecost layers CAPTURE                the bytes of a capture file by protocol layer
       wirecost matrix INPUT... [options]     every encoding, before and after every compressor
       wirecost bits COMPRESSED               the compressed bits of every field
       wirecost diff A B                      the difference between two inputs, by field and cause
       wirecost report INPUT... --out DIR     the analysis as a page with its figures
       wirecost advise INPUT... [options]     what should change, measured by re-encoding
       wirecost compare BEFORE AFTER [INPUT...]
                                              two versions of a schema: what breaks, what it costs
       wirecost check INPUT... --budget FILE  whether a message has grown, and why
       wirecost figures DOC.md...             whether the figures of documents are up to date
       wirecost map INPUT...                  partial profiles, one per line: for many files on many machines
       wirecost merge PARTIALS...             merges partial profiles
       wirecost open [FILE...]                the app on this machine, with files or a schema opened in it
       wirecost                               on a terminal, the same as wirecost open
       wirecost completions SHELL             completes commands, options and values in bash, zsh, fish
       wirecost man                           the manual page
       wirecost COMMAND --help                the options of a command
       wirecost --version
`;

/** @param args without the program's name @returns all that the command prints */
export async function run(args: readonly string[]): Promise<Outcome> {
  const parts: Terminal[] = [];
  const outcome = await runPrinting(args, async (part) => {
    parts.push(part);
  });
  return { ...outcome, out: joinLines([...parts, outcome.out]) };
}

/** @param print gets the first part of the result, `out` of the outcome is the rest */
export async function runPrinting(args: readonly string[], print: Print): Promise<Outcome> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return success(USAGE);
  if (name === '--version' || name === '-V') return success(`wirecost ${APP_VERSION}\n`);
  if (name === undefined) return { ...failure('no command'), err: success(USAGE).out };
  if (!Object.hasOwn(COMMANDS, name)) {
    return misuse(
      `Unknown command ${name}${meantWords(name, Object.keys(COMMANDS))}`,
      'wirecost --help lists the commands',
    );
  }
  const command = await COMMANDS[name]!();
  if (rest.includes('--help') || rest.includes('-h')) return success(helpOf(name, command));
  try {
    return await withReadFiles(() => command.run(rest, print));
  } catch (error) {
    if (error instanceof BadArguments) return misuse(error.message, `wirecost ${name} --help shows what it takes`);
    if (error instanceof Refusal) return failure(error.message, error.notes);
    throw error;
  }
}
