/** `completions`: a script that completes commands, options, their values and files in a shell, made from each usage. */
import { BadArguments, PATHS, parseOptions } from '../options/arguments.ts';
import { OPTION_VALUES } from '../options/option-values.ts';
import { type Outcome, success } from '../output/outcome.ts';

export const COMPLETIONS_USAGE = `usage: wirecost completions bash|zsh|fish

A script for the shell: commands, the options of each, the values that they take, and files.

  bash    source <(wirecost completions bash)
  zsh     source <(wirecost completions zsh)
  fish    wirecost completions fish | source
`;

/** Usage by command. */
export type Usages = ReadonlyMap<string, string>;

interface Option {
  readonly name: string;
  readonly letter: string | undefined;
  /** As the usage names its value: `PATH`; undefined: it takes none. */
  readonly takes: string | undefined;
  /** Its first line of explanation. */
  readonly about: string;
}

/** The options that a usage lists: `  -s, --schema PATH     a .proto file`. */
export function optionsOf(usage: string): readonly Option[] {
  const lines = usage.matchAll(/^ {2}(?:-(\w), | {4})--([\w-]+)(?: (\S+))? {2,}(.*)$/gm);
  return [...lines].map(([, letter, name = '', takes, about = '']) => ({ name, letter, takes, about }));
}

const SHELLS: Readonly<Record<string, (usages: Usages) => string>> = {
  bash,
  zsh,
  fish,
};

export async function completionsCommand(args: readonly string[], usages: Usages): Promise<Outcome> {
  const { inputs } = parseOptions(args, []);
  const [shell = ''] = inputs;
  if (inputs.length !== 1 || !Object.hasOwn(SHELLS, shell))
    throw new BadArguments('completions takes bash, zsh or fish');
  return success(SHELLS[shell]!(usages));
}

/** Values of an option that names none are a folder, a file, or a text that nothing completes. */
const kindOf = ({ name, takes }: Option): 'none' | 'values' | 'folder' | 'file' | 'text' => {
  if (takes === undefined) return 'none';
  if (Object.hasOwn(OPTION_VALUES, name)) return 'values';
  if (!PATHS.some((path) => path === name)) return 'text';
  return takes === 'DIR' ? 'folder' : 'file';
};

function bash(usages: Usages): string {
  const cases = [...usages].map(([command, usage]) => {
    const words = [...optionsOf(usage).map(({ name }) => `--${name}`), '--help'];
    return `    ${command}) options='${words.join(' ')}' ;;\n`;
  });
  const those = (kind: ReturnType<typeof kindOf>): string => optionsOfKind(usages, kind);
  const values = Object.entries(OPTION_VALUES).map(
    ([name, list]) => `      --${name}) offered='${list.join(' ')}' ;;\n`,
  );
  // Bash parts a word at each = and replaces its last part alone; zsh does not.
  return `_wirecost() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local whole="$word" options='' offered='' kept='' one
  if [[ -z \${ZSH_VERSION-} ]]; then
    local line="\${COMP_LINE:0:COMP_POINT}"
    local -a parts
    read -ra parts <<< "\${line}."
    whole="\${parts[\${#parts[@]}-1]%.}"
    before="\${parts[\${#parts[@]}-2]}"
    [[ $whole == *= ]] && word=''
  fi
  local shown="\${whole%"$word"}"
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    offered='${[...usages.keys()].join(' ')} --help --version'
  elif [[ $before == completions ]]; then
    offered='${Object.keys(SHELLS).join(' ')}'
  elif [[ $whole == -* && $whole != *=* ]]; then
    offered="$options"
  else
    if [[ $whole == --*=* ]]; then
      before="\${whole%%=*}"
      kept="$before="
    fi
    case "$before" in
${values.join('')}      ${those('text')}) compopt +o default 2> /dev/null; return ;;
      ${those('folder')}) compopt -o dirnames 2> /dev/null; return ;;
      *) return ;;
    esac
    whole="\${whole#"$kept"}"
    [[ $whole == *,* ]] && kept="$kept\${whole%,*}," whole="\${whole##*,}"
  fi
  for one in $(printf '%s' "$offered"); do
    if [[ $one == "$whole"* ]]; then
      one="$kept$one"
      COMPREPLY+=("\${one#"$shown"}")
    fi
  done
}
complete -o default -F _wirecost wirecost
`;
}

/** Zsh completes the path in `--schema=path` only where the part before it is named. */
function zsh(usages: Usages): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(usages)}_wirecost_zsh() {
  local option=\${words[CURRENT-1]}
  [[ \${words[CURRENT]} == --*=* ]] && option=\${words[CURRENT]%%=*}
  case $option in
    ${optionsOfKind(usages, 'file')}) compset -P "$option="; _files ;;
    ${optionsOfKind(usages, 'folder')}) compset -P "$option="; _files -/ ;;
    ${optionsOfKind(usages, 'text')}) return 1 ;;
    *) _bash_complete -o default -F _wirecost ;;
  esac
}
compdef _wirecost_zsh wirecost
`;
}

/** `-s|--schema|--keys` */
const optionsOfKind = (usages: Usages, kind: ReturnType<typeof kindOf>): string => {
  const all = [...usages.values()].flatMap(optionsOf);
  return [...new Set(all.filter((option) => kindOf(option) === kind).flatMap(givenAs))].join('|');
};

/** `-s` and `--schema`. */
const givenAs = ({ name, letter }: Option): readonly string[] =>
  letter === undefined ? [`--${name}`] : [`-${letter}`, `--${name}`];

/** How fish completes the value of an option. */
const fishValue: Readonly<Record<ReturnType<typeof kindOf>, (name: string) => string>> = {
  none: () => '',
  values: (name) => ` -x -a '(__wirecost_values ${OPTION_VALUES[name]!.join(' ')})'`,
  folder: () => " -x -a '(__wirecost_folders)'",
  file: () => ' -r -F',
  text: () => ' -x',
};

function fish(usages: Usages): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = [...usages].flatMap(([command, usage]) => [
    `complete -c wirecost -n __wirecost_first -f -a ${command}`,
    ...optionsOf(usage).map((option) => {
      const letter = option.letter === undefined ? '' : ` -s ${option.letter}`;
      const value = fishValue[kindOf(option)](option.name);
      const about = quoted(option.about.replace(/[,:;]$/, ''));
      return `complete -c wirecost -n '__wirecost_in ${command}'${letter} -l ${option.name}${value} -d ${about}`;
    }),
    `complete -c wirecost -n '__wirecost_in ${command}' -l help`,
  ]);
  return `function __wirecost_first
  test (count (commandline -opc)) -eq 1
end
function __wirecost_in
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end
function __wirecost_values
  set -l given (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
  printf '%s\\t\\n' "$given"$argv
end
function __wirecost_folders
  __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
end
complete -c wirecost -n __wirecost_first -f -l help
complete -c wirecost -n __wirecost_first -f -l version
complete -c wirecost -n '__wirecost_in completions' -f -a '${Object.keys(SHELLS).join(' ')}'
complete -c wirecost -n '__wirecost_in man' -f
${lines.join('\n')}
`;
}
