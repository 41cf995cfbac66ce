/**
 * `man`: the manual page, made from the usage of each command. On a terminal it is shown by man(1), or as plain text if
 * there is no man; otherwise it is roff. man(7)
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadArguments } from '../options/arguments.ts';
import { type Outcome, success } from '../output/outcome.ts';
import type { Usages } from './completions-command.ts';

export const MAN_USAGE = `usage: wirecost man

Shows the manual page. In a pipe or a file it is the page's source: wirecost man > wirecost.1
`;

/** Shows a page in roff on the terminal. false: it could not be shown. */
type Show = (page: string) => Promise<boolean>;

/** With man(1), until the reader leaves it. */
export const showPage: Show = async (page) => {
  const folder = await mkdtemp(join(tmpdir(), 'wirecost-'));
  const file = join(folder, 'wirecost.1');
  await writeFile(file, page);
  const isShown = await new Promise<boolean>((done) => {
    spawn('man', [file], { stdio: 'inherit' })
      .on('error', () => done(false))
      .on('exit', (code) => done(code === 0));
  });
  await rm(folder, { recursive: true });
  return isShown;
};

/**
 * @param overview the usage of `wirecost --help`
 * @param show null: the output is not a terminal
 */
export async function manCommand(
  args: readonly string[],
  usages: Usages,
  overview: string,
  version: string,
  show: Show | null,
): Promise<Outcome> {
  if (args.length > 0) throw new BadArguments('man takes no arguments');
  const commands = [...usages].map(([command, usage]) => `.SS ${command}\n${roffOf(usage)}`);
  const page = `.TH WIRECOST 1 "" "Wirecost ${version}" "User Commands"
.ad l
.nh
.SH NAME
wirecost \\- what every field of a message costs on the wire
.SH SYNOPSIS
${asItIs(overview)}.SH COMMANDS
${commands.join('')}.SH EXIT STATUS
0: the command has a result. 1: it has none, or a check failed, with the reason on the standard error: no message was
found, a budget is exceeded, a schema is not compatible, a figure is out of date, or an argument is wrong. Faults in the
data of a message and in a schema are findings of the result, which ends with 0, even if no byte belongs to a field.
`;
  if (show === null) return success(page);
  return success((await show(page)) ? '' : [overview, ...usages.values()].join('\n'));
}

/** A usage in roff: its paragraphs and options are filled, its first lines, indented lines and examples stay. */
const roffOf = (usage: string): string =>
  usage
    .trimEnd()
    .split('\n\n')
    .map((part) => {
      const lines = part.split('\n');
      if (part.startsWith('usage:')) return asItIs(part);
      if (OPTION.test(lines[0]!)) return optionsIn(lines);
      return `.PP\n${/^(?:examples:| {2})/.test(part) ? asItIs(part) : filled(lines)}`;
    })
    .join('');

/** `  -s, --schema PATH     a .proto file`; the lines of its text that follow are indented. */
const OPTION = /^ {2}(?: {4})?(-\S.*?) {2,}(.*)$/;

function optionsIn(lines: readonly string[]): string {
  const options: { readonly term: string; readonly about: string[] }[] = [];
  for (const line of lines) {
    const [, term, about] = OPTION.exec(line) ?? [];
    if (term !== undefined) options.push({ term, about: [about!] });
    else options.at(-1)?.about.push(line.trim());
  }
  return options.map(({ term, about }) => `.TP\n\\fB${escaped(term)}\\fR\n${filled(about)}`).join('');
}

const filled = (lines: readonly string[]): string => `${lines.map(asText).join('\n')}\n`;
const asItIs = (text: string): string => `.nf\n${filled(text.trimEnd().split('\n'))}.fi\n`;

/** A dot or an apostrophe at the beginning of a line would be a roff request. */
const asText = (line: string): string => escaped(line).replace(/^(?=[.'])/, '\\&');

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
