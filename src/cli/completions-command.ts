/** `completions`: a script that completes commands, options and files in a shell, made from the usage of each command. */
import { BadArguments, parseOptions } from './arguments.ts';
import { type Outcome, success } from './outcome.ts';

export const COMPLETIONS_USAGE = `usage: wirecost completions bash|zsh|fish

A script for the shell: commands, the options of each, and files.

  bash    source <(wirecost completions bash)
  zsh     source <(wirecost completions zsh)
  fish    wirecost completions fish | source
`;

/** Usage by command. */
export type Usages = ReadonlyMap<string, string>;

interface Option {
  readonly name: string;
  /** Its first line of explanation. */
  readonly about: string;
}

/** The options that a usage lists: `  -s, --schema PATH     a .proto file`. */
export function optionsOf(usage: string): readonly Option[] {
  return [...usage.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)(?: \S+)? {2,}(.*)$/gm)].map(([, name = '', about = '']) => ({
    name,
    about,
  }));
}

const SHELLS: Readonly<Record<string, (usages: Usages) => string>> = {
  bash,
  zsh: (usages) => `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(usages)}`,
  fish,
};

export async function completionsCommand(args: readonly string[], usages: Usages): Promise<Outcome> {
  const { inputs } = parseOptions(args, []);
  const [shell = ''] = inputs;
  if (inputs.length !== 1 || !Object.hasOwn(SHELLS, shell))
    throw new BadArguments('completions takes bash, zsh or fish');
  return success(SHELLS[shell]!(usages));
}

function bash(usages: Usages): string {
  const cases = [...usages].map(([command, usage]) => {
    const words = [...optionsOf(usage).map(({ name }) => `--${name}`), '--help'];
    return `    ${command}) words='${words.join(' ')}' ;;\n`;
  });
  return `_wirecost() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=''
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${[...usages.keys()].join(' ')}' -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _wirecost wirecost
`;
}

function fish(usages: Usages): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const commands = [...usages.keys()].join(' ');
  const lines = [...usages].flatMap(([command, usage]) => [
    `complete -c wirecost -n 'not __fish_seen_subcommand_from ${commands}' -a ${command}`,
    ...optionsOf(usage).map(
      ({ name, about }) =>
        `complete -c wirecost -n '__fish_seen_subcommand_from ${command}' -l ${name} -d ${quoted(about)}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
