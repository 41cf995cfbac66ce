/**
 * A profile → the files of two profilers, bytes as weight: field paths are stacks, categories their leaves.
 *
 * speedscope: speedscope.app/file-format-schema.json, type `sampled`.
 *
 * Firefox Profiler: the processed profile, version 55 (github.com/firefox-devtools/profiler,
 * docs-developer/processed-profile-format.md and CHANGELOG-formats.md). It has one thread for each side, whose samples
 * weigh bytes.
 */
import { segmentsOf } from '#engine/cost/ledger-segments.ts';
import { COMPRESSED_BITS_LEDGER, paidProfile, profilePath } from '#engine/cost/paid-profile.ts';
import { cellsIn, type Profile } from '#engine/cost/profile.ts';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { afterWords } from '#wording/paid-words.ts';
import { sidesWithBytes } from '#wording/side-words.ts';
import type { MeasuredFrom } from './subject.ts';

interface Stack {
  /** From the root: the type, the segments of the path, the category. */
  readonly names: readonly string[];
  readonly bytes: number;
}

function stacks(profile: Profile, ledger: string): readonly Stack[] {
  const root = profile.type === '' ? 'message' : profile.type;
  const names = new Map<string, readonly string[]>([['', [root]]]);
  return profile.fields.flatMap((field) => {
    const path = [...names.get(field.parent)!, field.name];
    names.set(field.path, path);
    return segmentsOf(cellsIn(field, ledger))
      .filter(({ bytes }) => bytes > 0)
      .map(({ category, bytes }) => ({ names: [...path, category], bytes }));
  });
}

interface Side {
  readonly name: string;
  readonly stacks: readonly Stack[];
}

const sidesOf = (profile: Profile, bits: BitsFacts | null): readonly Side[] => [
  ...bothSides(profile),
  ...(bits === null ? [] : [compressedSide(profile, bits)]),
];

/** Bytes of the compressed streams, as fractions; the container and bytes between messages have stacks of their own. */
function compressedSide(profile: Profile, bits: BitsFacts): Side {
  const name = afterWords(bits);
  const container = Object.entries(bits.container).map(([item, amount]) => ({
    names: ['container', item.replaceAll('_', ' ')],
    bytes: amount / 8,
  }));
  const known = new Set(profile.fields.map(({ path }) => path));
  const around = bits.fields
    .filter((field) => !known.has(profilePath(field)))
    .flatMap(({ path, paid }) =>
      segmentsOf(paid).map(({ category, bytes: amount }) => ({ names: [path, category], bytes: amount / 8 })),
    );
  const fields = stacks(paidProfile(profile, bits, 'paid', name), COMPRESSED_BITS_LEDGER);
  return { name, stacks: [...fields, ...around, ...container].filter(({ bytes }) => bytes > 0) };
}

function bothSides(profile: Profile): readonly Side[] {
  const unread = profile.unattributed > 0 ? [{ names: ['unattributed'], bytes: profile.unattributed }] : [];
  return sidesWithBytes(profile).map(({ id, name }) => ({
    name,
    stacks: [...stacks(profile, id), ...(id === profile.pair[0] ? unread : [])],
  }));
}

/** @param bits the bits that fields pay after compression, if measured; they make another side */
export function printSpeedscope(profile: Profile, from: MeasuredFrom, bits: BitsFacts | null = null): string {
  const frames = new Index();
  const profiles = sidesOf(profile, bits).map((side) => ({
    type: 'sampled',
    name: `${side.name}, ${from.name}`,
    unit: 'bytes',
    startValue: 0,
    endValue: side.stacks.reduce((sum, { bytes }) => sum + bytes, 0),
    samples: side.stacks.map(({ names }) => names.map((name) => frames.of(name))),
    weights: side.stacks.map(({ bytes }) => bytes),
  }));
  return `${JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: `wirecost@${from.version}`,
    name: from.name,
    activeProfileIndex: 0,
    shared: { frames: frames.names.map((name) => ({ name })) },
    profiles,
  })}\n`;
}

/** Values in the order of their first use. */
class Index {
  readonly names: string[] = [];
  readonly #known = new Map<string, number>();

  of(name: string): number {
    let index = this.#known.get(name);
    if (index === undefined) {
      index = this.names.push(name) - 1;
      this.#known.set(name, index);
    }
    return index;
  }
}

export function printFirefoxProfile(profile: Profile, from: MeasuredFrom, bits: BitsFacts | null = null): string {
  return `${JSON.stringify({
    meta: {
      interval: 1,
      startTime: Date.parse(`${from.date}T00:00:00Z`),
      processType: 0,
      product: 'Wirecost',
      appBuildID: from.version,
      stackwalk: 0,
      debug: false,
      version: 24,
      preprocessedProfileVersion: 55,
      categories: ['field', ...CATEGORIES].map((name) => ({
        name,
        color: COLORS[name as keyof typeof COLORS],
        subcategories: ['Other'],
      })),
      markerSchema: [],
      pausedRanges: [],
      symbolicated: true,
      usesOnlyOneStackType: true,
      sourceCodeIsNotOnSearchfox: true,
    },
    libs: [],
    pages: [],
    profilerOverhead: [],
    counters: [],
    threads: sidesOf(profile, bits).map(thread),
  })}\n`;
}

/** Firefox Profiler knows colours by name only. */
const COLORS = {
  field: 'grey',
  tag: 'orange',
  length: 'yellow',
  value: 'blue',
  flag: 'purple',
  count: 'green',
  type: 'lightblue',
  'group-end': 'brown',
  header: 'grey',
  unattributed: 'red',
  key: 'orange',
  punctuation: 'yellow',
  quotes: 'purple',
  space: 'grey',
  offset: 'purple',
  padding: 'lightblue',
} as const satisfies Record<Category | 'field', string>;

function thread({ name, stacks: all }: Side, index: number) {
  const strings = new Index();
  const stackKeys = new Index();
  const frames = new Index();
  const stack = { frame: [] as number[], prefix: [] as (number | null)[] };
  const categories: number[] = [];
  const functions: number[] = [];
  /** A leaf is a category. A field may have the same name, so they are two frames. */
  const frameOf = (part: string, isLeaf: boolean): number => {
    const category = isLeaf ? 1 + CATEGORIES.indexOf(part as Category) : 0;
    const frame = frames.of(`${category} ${part}`);
    if (frame === categories.length) {
      categories.push(category);
      functions.push(strings.of(part));
    }
    return frame;
  };
  const stackOf = (names: readonly string[]): number => {
    let prefix: number | null = null;
    for (const [depth, part] of names.entries()) {
      const frame = frameOf(part, depth === names.length - 1);
      const at: number = stackKeys.of(`${prefix} ${frame}`);
      if (at === stack.frame.length) {
        stack.frame.push(frame);
        stack.prefix.push(prefix);
      }
      prefix = at;
    }
    return prefix!;
  };
  const samples = all.map(({ names }) => stackOf(names));
  const length = categories.length;
  const fill = <T>(value: T): T[] => Array<T>(length).fill(value);
  return {
    name,
    processType: 'default',
    processName: 'wirecost',
    pid: String(index),
    tid: String(index),
    isMainThread: index === 0,
    showMarkersInTimeline: false,
    processStartupTime: 0,
    processShutdownTime: null,
    registerTime: 0,
    unregisterTime: null,
    pausedRanges: [],
    markers: { length: 0, category: [], data: [], name: [], startTime: [], endTime: [], phase: [] },
    samples: {
      length: samples.length,
      stack: samples,
      time: samples.map((_, at) => at),
      weight: all.map(({ bytes }) => bytes),
      weightType: 'bytes',
    },
    stackTable: { length: stack.frame.length, ...stack },
    frameTable: {
      length,
      address: fill(-1),
      inlineDepth: fill(0),
      category: categories,
      subcategory: fill(0),
      func: functions.map((_, at) => at),
      nativeSymbol: fill(null),
      innerWindowID: fill(0),
      line: fill(null),
      column: fill(null),
    },
    funcTable: {
      length,
      name: functions,
      isJS: fill(false),
      relevantForJS: fill(false),
      resource: fill(-1),
      fileName: fill(null),
      lineNumber: fill(null),
      columnNumber: fill(null),
    },
    resourceTable: { length: 0, lib: [], name: [], host: [], type: [] },
    nativeSymbols: { length: 0, address: [], functionSize: [], libIndex: [], name: [] },
    stringArray: strings.names,
  };
}
