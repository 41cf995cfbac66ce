/** `man`: the manual page, in roff, made from the usage of each command. man(7) */
import { BadArguments } from './arguments.ts';
import type { Usages } from './completions-command.ts';
import { type Outcome, success } from './outcome.ts';

export const MAN_USAGE = `usage: wirecost man

The manual page, to be read with man: wirecost man > wirecost.1 && man ./wirecost.1
`;

/** @param overview the usage of `wirecost --help` */
export async function manCommand(
  args: readonly string[],
  usages: Usages,
  overview: string,
  version: string,
): Promise<Outcome> {
  if (args.length > 0) throw new BadArguments('man takes no arguments');
  const commands = [...usages].map(([command, usage]) => `.SS ${command}\n${block(usage)}`);
  return success(`.TH WIRECOST 1 "" "Wirecost ${version}" "User Commands"
.SH NAME
wirecost \\- what every field of a message costs on the wire
.SH SYNOPSIS
${block(overview)}.SH COMMANDS
${commands.join('')}.SH EXIT STATUS
0 where the command did what it says; 1 with a reason on the standard error where it did not: nothing was found, a budget
is exceeded, a schema is not compatible, or an argument is wrong.
`);
}

/** Escapes plain text: a dot or an apostrophe at the beginning of a line would be a roff request. */
function block(text: string): string {
  const lines = text
    .trimEnd()
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .split('\n')
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line));
  return `.nf\n${lines.join('\n')}\n.fi\n`;
}
