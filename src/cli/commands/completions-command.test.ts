/** The input of completions, manual page and examples of each command. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, placedExample } from '../options/examples.ts';
import { OPTION_VALUES } from '../options/option-values.ts';
import { run } from '../run.ts';
import { optionsOf } from './completions-command.ts';
import { manCommand } from './man-command.ts';

const printed = async (...args: readonly string[]) => {
  const { code, out } = await run(args);
  expect(code).toBe(0);
  return out;
};

test('the options of a usage, with and without a letter', () => {
  const usage =
    '  -s, --schema PATH     a .proto file\n                        or a folder\n      --by-number       by numbers\n';
  expect(optionsOf(usage)).toEqual([
    { name: 'schema', letter: 's', takes: 'PATH', about: 'a .proto file' },
    { name: 'by-number', letter: undefined, takes: undefined, about: 'by numbers' },
  ]);
});

test.each(['bash', 'zsh', 'fish'])('%s completes each command, its options and their values', async (shell) => {
  const script = await printed('completions', shell);
  for (const values of Object.values(OPTION_VALUES)) expect(script).toContain(values.join(' '));
  for (const command of Object.keys(EXAMPLES)) {
    expect(script).toContain(command);
    for (const { name } of optionsOf(await printed(command, '--help'))) expect(script).toContain(name);
  }
});

test.each([
  ['a command', 'wirecost mat', ['matrix']],
  ['an option', 'wirecost matrix --p', ['--per']],
  ['all values', 'wirecost matrix --per ', ['message', 'request', 'joined']],
  ['a value', 'wirecost analyze a.bin --framing tf', ['tfrecord']],
  ['a value behind =', 'wirecost matrix --per=jo', ['joined']],
  ['a value after a file', 'wirecost diff a.bin b.bin --compressor zst', ['zstd']],
  ['a later value of a list', 'wirecost analyze --encodings json,av', ['json,avro']],
  ['a later value of a list behind =', 'wirecost analyze --encodings=json,av', ['json,avro']],
  ['an empty value behind =', 'wirecost matrix --per=', ['message', 'request', 'joined']],
  ['the part that bash replaces', 'wirecost matrix --level gzip=', ['1', '6', '9']],
  ['a shell', 'wirecost completions z', ['zsh']],
  ['files alone', 'wirecost analyze --schema ', []],
  ['no value of another option', 'wirecost matrix --per message ', []],
])('bash completes %s: %s', async (_, line, expected) => {
  // Readline parts words at = as well.
  const words = line.split(/\s+|(=)/).filter((word) => word !== undefined);
  if (line.endsWith('=')) words.pop();
  const quoted = (text: string): string => `'${text}'`;
  const script = `${await printed('completions', 'bash')}
COMP_WORDS=(${words.map(quoted).join(' ')}) COMP_CWORD=${words.length - 1} COMP_LINE=${quoted(line)} COMP_POINT=${line.length}
_wirecost; ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shown = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(shown.split('\n').slice(0, -1)).toEqual(expected);
});

test.each([
  ['zsh', /^ {4}(?=.*\|--schema\|)(?=.*--budget).*\) compset -P "\$option="; _files ;;$/m],
  ['zsh', /^ {4}--out\) compset -P "\$option="; _files -\/ ;;$/m],
  ['fish', /__fish_complete_directories \(commandline -ct \| string replace -r '\^--\[\^=\]\*=' ''\)/],
])('%s completes a path behind = without the option: %s', async (shell, rule) => {
  expect(await printed('completions', shell)).toMatch(rule);
});

const listed = async (command: string): Promise<readonly string[]> =>
  optionsOf(await printed(command, '--help')).map(({ name }) => name);

const COMMANDS = [...Object.keys(EXAMPLES), 'completions'];

test.each(COMMANDS)('the help of %s lists exactly the options that it takes', async (command) => {
  const all = new Set((await Promise.all(COMMANDS.map(listed))).flat());
  const taken = [];
  for (const name of all) {
    // A second - is refused after the options are known, and before anything is read or served.
    let { err } = await run([command, `--${name}=1`, '-', '-']);
    if (err.includes('takes no value')) ({ err } = await run([command, `--${name}`, '-', '-']));
    if (!err.includes('Unknown option')) taken.push(name);
  }
  expect(taken.sort()).toEqual([...(await listed(command))].sort());
});

test.each(COMMANDS)('the help of %s is at most 120 columns wide, but for its examples', async (command) => {
  const [usage] = (await printed(command, '--help')).split('\nexamples:');
  expect(usage!.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test('no line of the manual is accidentally a roff request, and all of it is ASCII', async () => {
  const page = await printed('man');
  const requests = [...page.matchAll(/^\.\S+/gm)].map(([request]) => request);
  expect(new Set(requests)).toEqual(new Set(['.TH', '.ad', '.nh', '.SH', '.SS', '.PP', '.TP', '.nf', '.fi']));
  expect(page).toMatch(/^[\n -~]*$/);
});

test('the manual has every word of every help', async () => {
  const page = (await printed('man')).replace(/\\(?=[-&e])|\\f[BR]|^\.\S+/gm, '');
  const inManual = new Set(page.split(/\s+/));
  for (const command of COMMANDS) {
    const words = (await printed(command, '--help')).split(/\s+/).filter((word) => /^[!-~]*$/.test(word));
    expect(
      words.filter((word) => !inManual.has(word.replaceAll('\\', 'e'))),
      command,
    ).toEqual([]);
  }
});

test('the manual has every option of a command with the whole of its text', async () => {
  const usage = `usage: wirecost a INPUT

Reads INPUT
and prints it.

  -s, --schema PATH     a .proto file
                        .or a folder
      --by-number       by numbers

examples:
  wirecost a  b
`;
  const { out } = await manCommand([], new Map([['a', usage]]), 'usage: wirecost', '1', null);
  expect(out.slice(out.indexOf('.SS'), out.indexOf('.SH EXIT'))).toBe(`.SS a
.nf
usage: wirecost a INPUT
.fi
.PP
Reads INPUT
and prints it.
.TP
\\fB\\-s, \\-\\-schema PATH\\fR
a .proto file
\\&.or a folder
.TP
\\fB\\-\\-by\\-number\\fR
by numbers
.PP
.nf
examples:
  wirecost a  b
.fi
`);
});

test('a terminal shows the manual, or its plain text if there is no man', async () => {
  const usages = new Map([['analyze', 'usage: wirecost analyze']]);
  const pages: string[] = [];
  const on = async (isShown: boolean): Promise<string> => {
    const show = async (page: string) => pages.push(page) > 0 && isShown;
    return (await manCommand([], usages, 'usage: wirecost', '1', show)).out;
  };
  expect(await on(true)).toBe('');
  expect(pages[0]).toMatch(/^\.TH WIRECOST 1/);
  expect(await on(false)).toBe('usage: wirecost\nusage: wirecost analyze');
});

describe('examples', () => {
  test.each([
    ['a checkout, in its folder', '/home/a/wirecost', false, '/home/a/wirecost', 'public/samples/x schemas/y'],
    ['a checkout, elsewhere', '/home/a/wirecost', false, '/home/a', 'wirecost/public/samples/x wirecost/schemas/y'],
    [
      'a package of a folder',
      '/a/node_modules/wirecost',
      true,
      '/a',
      'node_modules/wirecost/dist/samples/x node_modules/wirecost/schemas/y',
    ],
    [
      'a package of the system',
      '/lib/wirecost',
      true,
      '/home/a/b',
      '/lib/wirecost/dist/samples/x /lib/wirecost/schemas/y',
    ],
  ])('lead to the files of %s', (_, home, isPacked, here, paths) => {
    const [sample, schema] = paths.split(' ');
    expect(placedExample('wirecost diff public/samples/x -s schemas/y my-schemas/z', home, isPacked, here)).toBe(
      `wirecost diff ${sample} -s ${schema} my-schemas/z`,
    );
  });

  const isRead = (line: string): boolean =>
    /public|schemas/.test(line) && !/ [|>] |--out|--budget|^wirecost open/.test(line);
  const lines = Object.entries(EXAMPLES).flatMap(([command, list]) => list.map((line) => [command, line] as const));

  test.each(lines)('%s: %s', async (command, line) => {
    const words = line.split(' ');
    for (const word of words.filter((one) => /^(public|schemas|fixtures|docs)\//.test(one))) {
      expect(existsSync(new URL(`../../../${word}`, import.meta.url)), word).toBe(true);
    }
    const help = await printed(command, '--help');
    expect(help).toContain(line);
    const names = optionsOf(help).map(({ name }) => `--${name}`);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(names).toContain(option);
  });

  // The schemas of the example differ, which compare reports.
  test.each(lines.map(([, line]) => line).filter(isRead))('%s: has a result with a type', async (line) => {
    const home = join(import.meta.dirname, '../../..');
    const [, ...words] = placedExample(line, home, false, process.cwd()).split(' ');
    const { code, out, err } = await run(words);
    expect(code, err).toBe(words[0] === 'compare' ? 1 : 0);
    expect(out).not.toContain('Without a type');
  });
});
