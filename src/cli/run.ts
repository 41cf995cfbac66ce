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

interface CommandRow {
  /** For the list of commands: its arguments, and its result in one line. */
  readonly takes: string;
  readonly does: string;
  /** A command's code is loaded when it is called. */
  readonly load: () => Promise<Command>;
}

/** In the order of `wirecost --help`. */
const COMMANDS: Readonly<Record<string, CommandRow>> = {
  analyze: {
    takes: 'INPUT... [options]',
    does: 'the cost of every field',
    load: async () => {
      const { ANALYZE_USAGE: usage, analyzeCommand: run } = await import('./commands/analyze-command.ts');
      return { usage, run };
    },
  },
  annotate: {
    takes: 'INPUT [options]',
    does: 'one message, row by row',
    load: async () => {
      const { ANNOTATE_USAGE: usage, annotateCommand: run } = await import('./commands/annotate-command.ts');
      return { usage, run };
    },
  },
  messages: {
    takes: 'CAPTURE [options]',
    does: 'the messages of a capture, one per line',
    load: async () => {
      const { MESSAGES_USAGE: usage, messagesCommand: run } = await import('./commands/messages-command.ts');
      return { usage, run };
    },
  },
  layers: {
    takes: 'CAPTURE',
    does: 'the bytes of a capture file by protocol layer',
    load: async () => {
      const { LAYERS_USAGE: usage, layersCommand: run } = await import('./commands/layers-command.ts');
      return { usage, run };
    },
  },
  matrix: {
    takes: 'INPUT... [options]',
    does: 'every encoding, before and after every compressor',
    load: async () => {
      const { MATRIX_USAGE: usage, matrixCommand: run } = await import('./commands/matrix-command.ts');
      return { usage, run };
    },
  },
  bits: {
    takes: 'COMPRESSED',
    does: 'the compressed bits of every field',
    load: async () => {
      const { BITS_USAGE: usage, bitsCommand: run } = await import('./commands/bits-command.ts');
      return { usage, run };
    },
  },
  diff: {
    takes: 'A B',
    does: 'the difference between two inputs, by field and cause',
    load: async () => {
      const { DIFF_USAGE: usage, diffCommand: run } = await import('./commands/diff-command.ts');
      return { usage, run };
    },
  },
  report: {
    takes: 'INPUT... --out DIR',
    does: 'the analysis as a page with its figures',
    load: async () => {
      const { REPORT_USAGE: usage, reportCommand: run } = await import('./commands/report-command.ts');
      return { usage, run };
    },
  },
  advise: {
    takes: 'INPUT... [options]',
    does: 'what should change, measured by re-encoding',
    load: async () => {
      const { ADVISE_USAGE: usage, adviseCommand: run } = await import('./commands/advise-command.ts');
      return { usage, run };
    },
  },
  compare: {
    takes: 'BEFORE AFTER [INPUT...]',
    does: 'two versions of a schema: what breaks, what it costs',
    load: async () => {
      const { COMPARE_USAGE: usage, compareCommand: run } = await import('./commands/compare-command.ts');
      return { usage, run };
    },
  },
  check: {
    takes: 'INPUT... --budget FILE',
    does: 'whether a message has grown, and why',
    load: async () => {
      const { CHECK_USAGE: usage, checkCommand: run } = await import('./commands/check-command.ts');
      return { usage, run };
    },
  },
  figures: {
    takes: 'DOC.md...',
    does: 'whether the figures of documents are up to date',
    load: async () => {
      const { FIGURES_USAGE: usage, figuresCommand: run } = await import('./commands/figures-command.ts');
      return { usage, run };
    },
  },
  map: {
    takes: 'INPUT...',
    does: 'partial profiles, one per line: for many files on many machines',
    load: async () => {
      const { MAP_USAGE: usage, mapCommand: run } = await import('./commands/map-command.ts');
      return { usage, run };
    },
  },
  merge: {
    takes: 'PARTIALS...',
    does: 'merges partial profiles',
    load: async () => {
      const { MERGE_USAGE: usage, mergeCommand: run } = await import('./commands/merge-command.ts');
      return { usage, run };
    },
  },
  open: {
    takes: '[FILE...]',
    does: 'the app on this machine, with files or a schema opened in it',
    load: async () => {
      const { OPEN_USAGE: usage, openCommand: run } = await import('./commands/open-command.ts');
      return { usage, run };
    },
  },
  completions: {
    takes: 'SHELL',
    does: 'completes commands, options and values in bash, zsh, fish',
    load: async () => {
      const { COMPLETIONS_USAGE: usage, completionsCommand } = await import('./commands/completions-command.ts');
      return { usage, run: async (args) => completionsCommand(args, await usages()) };
    },
  },
  man: {
    takes: '',
    does: 'the manual page',
    load: async () => {
      const { MAN_USAGE: usage, manCommand, showPage } = await import('./commands/man-command.ts');
      const show = process.stdout.isTTY ? showPage : null;
      return { usage, run: async (args) => manCommand(args, await usages(), USAGE, APP_VERSION, show) };
    },
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
  return new Map(
    await Promise.all(names.map(async (name) => [name, helpOf(name, await COMMANDS[name]!.load())] as const)),
  );
}

/** Column of the results. */
const DOES_FROM = 39;

/** A line of the list; in two if the first part reaches the column of the results. */
function listed(form: string, does: string): string {
  const gap =
    form.length + 2 > DOES_FROM ? `\n${' '.repeat(DOES_FROM + 'usage: '.length)}` : ' '.repeat(DOES_FROM - form.length);
  return `${form}${gap}${does}`;
}

const USAGE = `What every field of a message costs on the wire.

usage: ${[
  ...Object.entries(COMMANDS).map(([name, { takes, does }]) => listed(`wirecost ${name} ${takes}`.trimEnd(), does)),
  listed('wirecost', 'on a terminal, the same as wirecost open'),
  listed('wirecost COMMAND --help', 'the options of a command'),
  'wirecost --version',
].join('\n       ')}
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
  const command = await COMMANDS[name]!.load();
  if (rest.includes('--help') || rest.includes('-h')) return success(helpOf(name, command));
  try {
    return await withReadFiles(() => command.run(rest, print));
  } catch (error) {
    if (error instanceof BadArguments) return misuse(error.message, `wirecost ${name} --help shows what it takes`);
    if (error instanceof Refusal) return failure(error.message, error.notes);
    throw error;
  }
}
