/** Arguments → options, for every command alike. */

import { parseArgs } from 'node:util';
import { PLAIN_LIMIT } from '#engine/compression/codec.ts';
import { meantWords } from './nearest.ts';

/** Invalid arguments; `run.ts` answers with its usage. */
export class BadArguments extends Error {}

export interface Options {
  readonly inputs: readonly string[];
  readonly schema: readonly string[];
  /** Schema files of the first of two versions. */
  readonly before: readonly string[];
  readonly type: string | undefined;
  readonly method: string | undefined;
  readonly direction: (typeof DIRECTIONS)[number] | undefined;
  /** Most plain bytes of one message of a capture. */
  readonly limit: number;
  /** Bytes that the largest message must be below; undefined: no limit was given, or it is that of a capture. */
  readonly below: number | undefined;
  /** Paths of key logs for TLS. */
  readonly keys: readonly string[];
  readonly native: string | undefined;
  readonly framing: string | undefined;
  readonly format: string | undefined;
  readonly textEncoding: string | undefined;
  readonly json: boolean;
  readonly waste: boolean;
  readonly markdown: boolean;
  readonly compressed: boolean;
  /** Print the plan and its reasons instead of the figures. */
  readonly explain: boolean;
  /** No type is detected. */
  readonly byNumber: boolean;
  readonly message: number | undefined;
  /** messageOffset of the first row, or its index in a profile; and how many rows. */
  readonly from: number;
  readonly rows: number;
  readonly field: string | undefined;
  readonly bytes: boolean;
  readonly out: string | undefined;
  readonly app: string | undefined;
  readonly budget: readonly string[];
  readonly write: boolean;
  readonly theme: string | undefined;
  /** Ids of advice, from 1. */
  readonly apply: readonly number[];
  readonly compressor: string | undefined;
  /** Rows of a table, the others added up in one row; undefined: all rows. */
  readonly most: number | undefined;
  readonly per: string | undefined;
  /** Path of a field to leave out. */
  readonly saved: string | undefined;
  /** `zstd=19` each. */
  readonly level: readonly string[];
  /** Ids of encodings. */
  readonly encodings: readonly string[];
  readonly changes: string | undefined;
  readonly patch: string | undefined;
  /** Messages a second. */
  readonly rate: number | undefined;
  /** Port of `open`; 0: the system chooses one. */
  readonly port: number | undefined;
  /** List of inputs of `map`, and the key that separates its lines. */
  readonly files: string | undefined;
  readonly by: string | undefined;
  readonly key: string | undefined;
  /** Lines that can be merged. */
  readonly partial: boolean;
  /** Print, without any other effect. */
  readonly print: boolean;
  /** Workers that share large inputs; undefined: as many as there are cores. */
  readonly workers: number | undefined;
}

export const DIRECTIONS = ['request', 'response'] as const;

const MEBIBYTE = 1024 * 1024;
/** Protobuf messages are below 2 GiB (https://protobuf.dev/programming-guides/proto-limits/). */
const MAX_MEBIBYTES = 2047;
/** More share no work well. */
export const MAX_WORKERS = 8;
/** Rows of a message that `annotate` prints, without --rows. */
export const SHOWN_ROWS = 10_000;
/** For usages, of commands that read captures. */
export const CAPTURE_KINDS = `pcap, pcapng, HAR, mitmproxy, SAZ, gRPC's binary log, Envoy's tap or packets in Wireshark's JSON, also compressed or in an archive`;
export const KEYS_USAGE = `      --keys FILE       a key log (SSLKEYLOGFILE) for TLS of a capture; may be repeated; those in a pcapng are used, too`;
export const CAPTURE_USAGE = `      --limit MIB       of a capture, the most that one message may take or unpack to; ${PLAIN_LIMIT / MEBIBYTE}, if not given
${KEYS_USAGE}`;

export const WORKERS_USAGE = `      --workers N       workers that share large inputs; as many as there are cores, at most ${MAX_WORKERS}, if not given`;

const ONE = { type: 'string' } as const;
const OPTIONS = {
  schema: { type: 'string', multiple: true, short: 's' },
  before: { type: 'string', multiple: true },
  type: { type: 'string', short: 't' },
  method: ONE,
  direction: ONE,
  limit: ONE,
  keys: { type: 'string', multiple: true },
  native: ONE,
  framing: ONE,
  format: ONE,
  'text-encoding': ONE,
  json: { type: 'boolean' },
  waste: { type: 'boolean' },
  markdown: { type: 'boolean' },
  compressed: { type: 'boolean' },
  explain: { type: 'boolean' },
  'by-number': { type: 'boolean' },
  message: ONE,
  from: ONE,
  rows: ONE,
  field: ONE,
  bytes: { type: 'boolean' },
  out: ONE,
  app: ONE,
  budget: { type: 'string', multiple: true },
  write: { type: 'boolean' },
  theme: ONE,
  apply: ONE,
  compressor: ONE,
  most: ONE,
  per: ONE,
  level: { type: 'string', multiple: true },
  saved: ONE,
  encodings: ONE,
  changes: ONE,
  patch: ONE,
  rate: ONE,
  port: ONE,
  files: ONE,
  by: ONE,
  key: ONE,
  partial: { type: 'boolean' },
  print: { type: 'boolean' },
  workers: ONE,
} as const;

/**
 * @param allowed the entries of OPTIONS that the command knows
 * @param limitOf `capture`: --limit takes MiB for captures; `largest`: a size for the largest message
 * @throws BadArguments
 */
export function parseOptions(
  args: readonly string[],
  allowed: readonly (keyof typeof OPTIONS)[],
  limitOf: 'capture' | 'largest' = 'capture',
): Options {
  const { values, positionals } = parse([...args], allowed);
  const message = countIn('message', values.message);
  const most = values.most === undefined ? undefined : wholeIn(values.most);
  if (most !== undefined && !(most > 0)) throw new BadArguments(`--most takes a number from 1, not ${values.most}`);
  const read = READ.filter((name) => name !== 'budget' || values.write !== true);
  const paths = [...positionals, ...read.flatMap((name) => values[name] ?? [])];
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new BadArguments('- is the standard input, which is read once; it is given twice');
  const direction = DIRECTIONS.find((known) => known === values.direction);
  if (direction === undefined && values.direction !== undefined) {
    throw new BadArguments(`--direction takes ${DIRECTIONS.join(' or ')}, not ${values.direction}`);
  }
  return {
    inputs: positionals,
    schema: values.schema ?? [],
    before: values.before ?? [],
    type: values.type,
    method: values.method,
    direction,
    limit: limitOf === 'capture' ? mebibytesIn(values.limit) : PLAIN_LIMIT,
    below: limitOf === 'largest' ? sizeIn(values.limit) : undefined,
    keys: values.keys ?? [],
    native: values.native,
    framing: values.framing,
    format: values.format,
    textEncoding: values['text-encoding'],
    json: values.json ?? false,
    waste: values.waste ?? false,
    markdown: values.markdown ?? false,
    compressed: values.compressed ?? false,
    explain: values.explain ?? false,
    byNumber: values['by-number'] ?? false,
    message,
    from: countIn('from', values.from) ?? 0,
    rows: countIn('rows', values.rows) ?? SHOWN_ROWS,
    field: values.field,
    bytes: values.bytes ?? false,
    out: values.out,
    app: values.app,
    budget: values.budget ?? [],
    write: values.write ?? false,
    theme: values.theme,
    apply: numbersIn(values.apply),
    compressor: values.compressor,
    most,
    per: values.per,
    level: values.level ?? [],
    saved: values.saved,
    encodings: values.encodings?.split(',') ?? [],
    changes: values.changes,
    patch: values.patch,
    rate: rateIn(values.rate),
    port: portIn(values.port),
    files: values.files,
    by: values.by,
    key: values.key,
    partial: values.partial ?? false,
    print: values.print ?? false,
    workers: workersIn(values.workers),
  };
}

/** Scripts may still use the option's earlier name. */
const currentName = (arg: string): string => arg.replace(/^--dress(?==|$)/, '--text-encoding');

/** A whole number from 0; NaN: another text, as an empty one. */
const wholeIn = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

function countIn(name: 'message' | 'from' | 'rows', text: string | undefined): number | undefined {
  const count = text === undefined ? undefined : wholeIn(text);
  if (count === undefined || Number.isSafeInteger(count)) return count;
  throw new BadArguments(`--${name} takes a number from 0, not ${text}`);
}

function mebibytesIn(text: string | undefined): number {
  const limit = text === undefined ? PLAIN_LIMIT : Math.floor(Number(text) * MEBIBYTE);
  if (limit > 0 && limit <= MAX_MEBIBYTES * MEBIBYTE) return limit;
  throw new BadArguments(`--limit takes a number of MiB above 0 and up to ${MAX_MEBIBYTES}, not ${text}`);
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
};

/** `4MiB` */
function sizeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  if (digits !== undefined && factor !== undefined) return Math.floor(Number(digits) * factor);
  throw new BadArguments(`--limit takes a size, as 4MiB; not ${text}`);
}

function portIn(text: string | undefined): number | undefined {
  const port = text === undefined ? undefined : wholeIn(text);
  if (port === undefined || port <= 65_535) return port;
  throw new BadArguments(`--port takes a number from 0 to 65535, not ${text}`);
}

function workersIn(text: string | undefined): number | undefined {
  const workers = text === undefined ? undefined : wholeIn(text);
  if (workers === undefined || (workers >= 1 && workers <= MAX_WORKERS)) return workers;
  throw new BadArguments(`--workers takes a number from 1 to ${MAX_WORKERS}, not ${text}`);
}

function rateIn(text: string | undefined): number | undefined {
  const rate = text === undefined ? undefined : Number(text);
  if (rate === undefined || (Number.isFinite(rate) && rate > 0)) return rate;
  throw new BadArguments(`--rate takes a number of messages a second, not ${text}`);
}

/** `1,3` */
function numbersIn(list: string | undefined): readonly number[] {
  if (list === undefined) return [];
  const numbers = list.split(',').map((text) => wholeIn(text.trim()));
  if (numbers.every((number) => number > 0)) return numbers;
  throw new BadArguments(`--apply takes row numbers such as 1,3, not ${list}`);
}

/** Options whose values are paths that are read; `-` is the standard input. A budget may be written, too. */
const READ = ['schema', 'before', 'keys', 'budget', 'changes', 'files'] as const;
const WRITTEN = ['out', 'patch'] as const;
/** Options whose values are paths. */
export const PATHS = [...READ, ...WRITTEN];

function parse(args: string[], allowed: readonly (keyof typeof OPTIONS)[]) {
  const names = ['help', ...allowed].map((name) => `--${name}`);
  // `-type X` is `-t ype` for parseArgs.
  const end = args.indexOf('--');
  const oneDash = args
    .slice(0, end === -1 ? args.length : end)
    .map((arg) => arg.replace(/=.*/s, ''))
    .find((arg) => arg.length > 2 && names.includes(`-${arg}`));
  if (oneDash !== undefined) throw new BadArguments(`Unknown option ${oneDash}. Is -${oneDash} meant?`);
  try {
    const parsed = parseArgs({ args: args.map(currentName), options: OPTIONS, allowPositionals: true });
    for (const given of Object.keys(parsed.values)) {
      if (!allowed.includes(given as keyof typeof OPTIONS)) throw new BadArguments(`Unknown option --${given}`);
    }
    const unnamed = PATHS.find((name) => [parsed.values[name]].flat().includes(''));
    if (unnamed !== undefined) throw new BadArguments(`--${unnamed} takes a path; it is empty`);
    const unwritten = WRITTEN.find((name) => parsed.values[name] === '-');
    if (unwritten !== undefined)
      throw new BadArguments(`--${unwritten} takes a path, and not - for the standard output`);
    return parsed;
  } catch (error) {
    // parseArgs reports faults by throwing.
    if (!(error instanceof TypeError)) throw error;
    const unknown = /^Unknown option '(--?[^']+)'/.exec(error.message)?.[1];
    if (unknown !== undefined) throw new BadArguments(`Unknown option ${unknown}${meantWords(unknown, names)}`);
    const [, option, fault] = /^Option '(?:-\w, )?(--[\w-]+).*?' (.*)/.exec(error.message) ?? [];
    if (option === undefined) throw new BadArguments(error.message);
    if (fault === 'does not take an argument') throw new BadArguments(`${option} takes no value`);
    const how = fault === 'argument missing' ? '' : `; one that begins with a dash is given as ${option}=VALUE`;
    throw new BadArguments(`${option} takes a value${how}`);
  }
}
