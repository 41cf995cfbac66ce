/** Every figure as a file that a reader can open; the golden file is the picture. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import { emptyLayers } from '#engine/capture/containers/packets-layers.ts';
import { MESSAGE_PATH, OTHERS_PATH, SIZE_PREFIX_PATH, UNATTRIBUTED_PATH } from '#engine/cost/bit-parts.ts';
import { type Profile, totalIn } from '#engine/cost/profile.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { ALL_FIGURES, type AnyFigureName } from './all-figures.ts';
import { readColors, THEMES } from './colors.ts';
import { readEmbedFragment } from './embed-address.ts';
import { fieldLines } from './fields-figure.tsx';
import { titleOf } from './figures.tsx';
import { printFirefoxProfile, printSpeedscope } from './flame-files.ts';
import { PICTURE_MARGINS, wrap } from './picture.tsx';
import { printCsv, printMarkdown } from './profile-table.ts';
import { printSnippet, SNIPPETS } from './snippets.ts';
import { sourceLine } from './source-line.ts';
import type { FigurePair, FigureSubject } from './subject.ts';
import { printSvg } from './svg-file.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const css = readFileSync(new URL('../charts/colors.css', import.meta.url), 'utf8');
const profile: Profile = JSON.parse(readFileSync(new URL('charts/opensearch-hits.profile.json', FIXTURES), 'utf8'));
const measured = {
  profile,
  from: { name: '12-term-1000.pcap', date: '2026-11-21', version: '0.1.0', coverage: null },
  path: 'hits.version',
  layers: {
    ...emptyLayers(),
    container: 3_000,
    link: 1_400,
    ip: 2_000,
    tcp: 3_200,
    opensearch: 900,
    message: 92_000,
    incomplete: 12,
  },
};
const excerpt: Excerpt = {
  ordinal: 0,
  path: 'hits.version',
  sides: [
    {
      encoding: 'protobuf',
      size: 900,
      start: 160,
      bytes: Uint8Array.of(0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x30, 0x02),
      segments: [
        { category: 'tag', bytes: 1, path: 'hits.version', words: 'tag: field 5, VARINT' },
        { category: 'value', bytes: 10, path: 'hits.version', words: 'value: -1' },
        { category: 'tag', bytes: 1, path: 'hits.seq_no', words: 'tag: field 6, VARINT' },
        { category: 'value', bytes: 1, path: 'hits.seq_no', words: 'value: 2' },
      ],
      lit: [160, 171],
    },
  ],
};
const row = (id: string, label: string, bytes: number | null, gzip: number, zstd: number) => ({
  ...{ id, label, bytes, compressed: bytes === null ? {} : { gzip, zstd } },
  refused: bytes === null ? 'NaN is refused, and a value is NaN.' : null,
  losses: [],
  errors: {},
});
const library = (id: string, label: string, name: string) => ({
  id,
  label,
  library: name,
  version: '1',
  parameters: '',
});
const sizes: MatrixSizes = {
  ...{ type: 't.Hits', messages: 1, captured: 'protobuf', per: 'joined', sampled: null },
  compressors: [library('gzip', 'gzip level 6', 'zlib'), library('zstd', 'zstd level 3', 'libzstd')],
  rows: [
    row('protobuf', 'Protobuf', 9191, 1708, 1695),
    row('json', 'JSON', 12_535, 3220, 3319),
    row('msgpack-numbered', 'MessagePack by number', 9015, 1673, 1668),
    row('borsh', 'Borsh', null, 0, 0),
  ],
};
/** `scale`: bytes after compression for each plain byte. */
const bitsOf = (scale: number): BitsFacts => {
  const fields = profile.fields.flatMap(({ path, ledgers }) => {
    const { tag = 0, length = 0, value = 0 } = ledgers['protobuf'] ?? {};
    if (tag + length + value === 0) return [];
    const paid = { tag: 8 * scale * tag * 0.5, length: 8 * scale * length, value: 8 * scale * value };
    return [{ path, bytes: { tag, length, value }, paid }];
  });
  const paid = fields.reduce((sum, field) => sum + field.paid.tag + field.paid.length + field.paid.value, 0);
  const compressedBytes = Math.ceil(paid / 8) + 20;
  return {
    by: { kind: 'encoder', label: 'zstd level 3', library: 'libzstd', version: '1.5.7' },
    ...{ formats: ['zstd'], streams: 1, messages: 1, outOf: 1, compressedBytes, fields },
    plainBytes: totalIn(profile, 'protobuf'),
    container: { frame_header: 8 * compressedBytes - paid },
  };
};
const subject: FigureSubject = {
  ...{ ...measured, compressed: null, excerpt, matrix: { sizes, by: 'zstd' } },
  bits: bitsOf(0.25),
  pair: { name: 'before.pcap', a: profile, aligned: {}, after: [{ a: bitsOf(0.25), b: bitsOf(0.125) }] },
};
const golden = (name: string): string => new URL(`figures/${name}`, FIXTURES).pathname;

/** The same after compression, with larger sizes. */
function enlarged(times: number): FigureSubject {
  const { bits, pair } = subject;
  const large = (of: BitsFacts): BitsFacts => ({
    ...of,
    plainBytes: times * of.plainBytes,
    compressedBytes: times * of.compressedBytes,
    fields: of.fields.map((field) => ({
      ...field,
      bytes: scaled(field.bytes, times),
      paid: scaled(field.paid, times),
    })),
    container: scaled(of.container, times),
  });
  const after = pair!.after.map(({ a, b }) => ({ a: large(a), b: large(b) }));
  return { ...subject, bits: large(bits!), pair: { ...pair!, after } };
}
const scaled = <Sums extends Readonly<Record<string, number | undefined>>>(sums: Sums, times: number): Sums =>
  Object.fromEntries(Object.entries(sums).map(([key, sum = 0]) => [key, times * sum])) as Sums;

const draw = (name: AnyFigureName, theme: 'light' | 'dark', width = 720, of = subject): string =>
  printSvg(
    {
      title: titleOf(ALL_FIGURES[name], of),
      source: sourceLine(of, ALL_FIGURES[name]),
      drawing: ALL_FIGURES[name].draw(of, { id: name, width })!,
    },
    readColors(css, theme),
  );

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** null: a bar. */
  readonly text: string | null;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Bars, and words as wide as their characters are on the average. */
function boxesOf(svg: string): readonly Box[] {
  const places: { readonly x: number; readonly y: number; readonly anchor: string }[] = [];
  const boxes: Box[] = [];
  for (const [, close, tag, attributes = '', words = ''] of svg.matchAll(/<(\/?)(\w+)([^>]*)>([^<]*)/g)) {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(attributes)?.[1];
    const number = (attribute: string) => Number(of(attribute) ?? 0);
    const at = places.at(-1) ?? { x: 0, y: 0, anchor: 'start' };
    if (close === '/') {
      if (tag === 'g' || tag === 'svg') places.pop();
    } else if (tag === 'g' || tag === 'svg') {
      if (attributes.endsWith('/')) continue;
      const [x = '0', y = '0'] = /translate\(([^ ,)]+)[ ,]+([^)]+)\)/.exec(attributes)?.slice(1) ?? [];
      places.push({ x: at.x + Number(x), y: at.y + Number(y), anchor: of('text-anchor') ?? at.anchor });
    } else if (tag === 'text' && words !== '') {
      const size = Number(of('font-size') ?? 12);
      const width = words.replace(/&\w+;/g, '.').length * 5.6 * Math.min(1, size / 10);
      const [x, y, anchor] = [at.x + number('x'), at.y + number('y'), of('text-anchor') ?? at.anchor];
      const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
      boxes.push({ left, right: left + width, top: y - 8, bottom: y, text: words });
    } else if (tag === 'rect' && of('data-bytes') !== undefined && number('width') > 0) {
      const [left, top] = [at.x + number('x'), at.y + number('y')];
      boxes.push({ left, right: left + number('width'), top, bottom: top + number('height'), text: null });
    }
  }
  return boxes;
}

describe('pictures', () => {
  test.each(Object.keys(ALL_FIGURES) as AnyFigureName[])('%s', async (name) => {
    await expect(draw(name, 'light').replaceAll('><', '>\n<')).toMatchFileSnapshot(golden(`${name}.svg`));
  });

  test.each(THEMES)('are self-contained, %s: no style sheet, script or address', (theme) => {
    for (const name of Object.keys(ALL_FIGURES) as AnyFigureName[]) {
      const svg = draw(name, theme);
      expect(svg).not.toMatch(/var\(|<style|<script|<image|<foreignObject|href=/);
      expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toContain('://');
      expect(svg).toMatch(/<title>[^<]+<\/title><desc>Measured from (A before\.pcap · B )?12-term-1000\.pcap/);
      expect(svg).toContain(theme === 'light' ? '#ffffff' : '#14171b');
    }
  });

  test.each([
    ...(['waterfall', 'fields', 'layers', 'pair', 'compressed'] as const).map((name) => [name, 1] as const),
    ...(['pair', 'compressed'] as const).map((name) => [name, 1000] as const),
    ['matrix', 1] as const,
  ])('%s, 276 pixels wide, sizes × %i: nothing lies over words', (name, times) => {
    const boxes = boxesOf(draw(name, 'light', 276, enlarged(times)));
    const words = boxes.filter(({ text }) => text !== null);
    expect(words.length).toBeGreaterThan(8);
    const covered = words.flatMap((word) =>
      boxes.filter((other) => other !== word && overlap(word, other)).map((other) => [word.text, other.text]),
    );
    expect(covered).toEqual([]);
    expect(words.filter(({ right }) => right > 276 + PICTURE_MARGINS).map(({ text }) => text)).toEqual([]);
  });

  test.each(['icicle', 'fields'] as const)('%s: names that begin alike stay distinct where they are cut', (name) => {
    const names = ['name', 'namespace', 'node'].map((end) => `kubernetes_metadata_pod_${end}`);
    const at = { ...profile.fields[0]!, parent: '', ledgers: { protobuf: { value: 100 } } };
    const fields = names.map((each) => ({ ...at, path: each, name: each }));
    const ledgers = { ...profile.ledgers, protobuf: { ...profile.ledgers['protobuf']!, bytes: 300 } };
    const svg = draw(name, 'light', 280, { ...subject, profile: { ...profile, fields, ledgers } });
    const drawn = boxesOf(svg).flatMap(({ text }) => (text?.startsWith('ku') ? [text] : []));
    expect(drawn).toHaveLength(3);
    expect(new Set(drawn).size, drawn.join()).toBe(3);
  });

  test('long paths of A and B are cut at their beginning', () => {
    const path = `${'deep.'.repeat(12)}name`;
    const long = { ...profile, fields: [{ ...profile.fields[0]!, path, parent: '' }] };
    const svg = draw('pair', 'light', 720, {
      ...subject,
      profile: long,
      pair: { ...subject.pair!, a: long, after: [] },
    });
    expect(svg).toMatch(/>…[^<]*deep\.name</);
  });

  test.each([
    ['fields', 248],
    ['fields', 358],
    ['fields', 720],
    ['compressed', 248],
    ['compressed', 358],
  ] as const)('%s, %i pixels wide, of all categories in long encodings: nothing lies over words', (name, width) => {
    const every = Object.fromEntries(CATEGORIES.map((category) => [category, 9]));
    const other = { label: 'MessagePack by number', isCaptured: true, isAlone: false };
    const pair = ['captured-json', 'msgpack-numbered'] as const;
    const ledger = (label: string) => ({ label, bytes: 90, refused: null, losses: [], own: {} });
    const of = {
      ...subject,
      bits: { ...subject.bits!, fields: [{ path: 'a', bytes: every, paid: every }] },
      profile: {
        ...profile,
        ...{ pair, other },
        ledgers: { [pair[0]]: ledger('JSON as captured'), [pair[1]]: ledger(other.label) },
        fields: [{ ...profile.fields[0]!, ledgers: { [pair[0]]: every, [pair[1]]: every } }],
      },
    };
    const picture = ALL_FIGURES[name].draw(of, { id: name, width })!;
    const words = boxesOf(printSvg({ title: '', source: '', drawing: picture }, readColors(css, 'light'))).filter(
      ({ text }) => text !== null,
    );
    expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(['punctuation', 'padding', 'quotes']));
    const covered = words.filter((word) => words.some((one) => one !== word && overlap(word, one)));
    expect(covered.map(({ text }) => text)).toEqual([]);
    expect(words.filter(({ right }) => right > width + PICTURE_MARGINS).map(({ text }) => text)).toEqual([]);
  });

  test('name the compressor and level of compressed sizes', () => {
    // By its name for people, also in a link, which has only the profile.
    expect(sourceLine(subject)).toContain(' · native: As laid out · ');
    const other = { label: 'JSON', isCaptured: false, isAlone: false };
    expect(sourceLine({ ...subject, profile: { ...subject.profile, other } })).not.toContain('native');
    const compressed = { codecs: [{ codec: 'gzip level 6', protobuf: 40, native: 50 }], messages: 2, outOf: 9 };
    expect(sourceLine({ ...subject, compressed }).replaceAll('\u00a0', ' ')).toMatch(
      /Wirecost 0\.1\.0 · After gzip level 6: protobuf 40 bytes, native 50: protobuf saves 20\.0 %\. Each message compressed alone, measured on a sample of 2 of 9 messages/,
    );
  });

  test.each([
    ['matrix', '9 messages, joined and compressed at once. Protobuf has 91 bytes of framing.'],
    ['compressed', '9 messages, joined and compressed at once, by libzstd 1.5.7.'],
  ] as const)('the line below %s names how its own sizes were compressed, and no others', (name, words) => {
    const of = {
      ...subject,
      compressed: { codecs: [], messages: 9, outOf: 9 },
      matrix: { sizes: { ...sizes, messages: 9 }, by: 'zstd' },
      bits: { ...subject.bits!, messages: 9, outOf: 9 },
      profile: {
        ...profile,
        messages: 9,
        ledgers: { ...profile.ledgers, protobuf: { ...profile.ledgers['protobuf']!, bytes: 9100 } },
      },
    };
    const line = sourceLine(of, ALL_FIGURES[name]).replaceAll('\u00a0', ' ');
    expect(line.endsWith(` · 2026-11-21, Wirecost 0.1.0 · ${words}`), line).toBe(true);
    expect(sourceLine(of, ALL_FIGURES.fields)).toMatch(/Each message compressed alone\.$/);
  });

  test('a figure of a field needs the field, and a figure of both sides needs both', () => {
    const frame = { id: 'x', width: 600 };
    expect(ALL_FIGURES['break-even'].draw({ ...subject, path: null }, frame)).toBeUndefined();
    expect(ALL_FIGURES.widths.draw({ ...subject, path: 'no.such' }, frame)).toBeUndefined();
    expect(ALL_FIGURES.layers.draw({ ...subject, layers: null }, frame)).toBeUndefined();
    expect(ALL_FIGURES.matrix.draw({ ...subject, matrix: null }, frame)).toBeUndefined();
    expect(ALL_FIGURES.bytes.draw({ ...subject, excerpt: null }, frame)).toBeUndefined();
    expect(ALL_FIGURES.compressed.draw({ ...subject, bits: null }, frame)).toBeUndefined();
    expect(ALL_FIGURES.pair.draw({ ...subject, pair: null }, frame)).toBeUndefined();
    const onlyWire = { ...subject, profile: { ...profile, pair: ['protobuf', null] as const } };
    expect(ALL_FIGURES.waterfall.draw(onlyWire, frame)).toBeUndefined();
    expect(ALL_FIGURES.fields.draw(onlyWire, frame)).toBeDefined();
  });
});

describe('A and B, and one side after compression', () => {
  const texts = (svg: string): readonly string[] =>
    [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);

  test.each([320, 860])('%i pixels: no column is left out, and none lies outside', (width) => {
    for (const [name, last] of [['pair', 'change'] as const, ['compressed', 'rank'] as const]) {
      const svg = draw(name, 'light', width);
      const shown = texts(svg);
      expect(shown).toContain(last);
      for (const { path } of subject.bits!.fields.slice(0, 3)) expect(svg).toContain(path);
      expect(shown).toContain('after zstd level 3');
      expect(shown).toContain('plain');
      for (const [, x] of svg.matchAll(/<text x="(-?[\d.]+)"/g)) expect(Number(x)).toBeGreaterThanOrEqual(0);
    }
  });

  test('the title of A and B has both totals, plain and after each compressor', () => {
    const [a, b] = [bitsOf(0.25), bitsOf(0.125)].map(({ compressedBytes }) => compressedBytes.toLocaleString('en-US'));
    expect(titleOf(ALL_FIGURES.pair, subject).replaceAll('\u00a0', ' ')).toContain(
      `After zstd level 3, B takes ${b} bytes, A ${a}: −`,
    );
  });

  test('fields beyond the largest, the container and the total are rows', () => {
    const fields = Array.from({ length: 60 }, (_, at) => ({
      path: `f${at}`,
      bytes: { value: 10 },
      paid: { value: 8 },
    }));
    const bits = { ...subject.bits!, fields, plainBytes: 600, compressedBytes: 61, container: { frame_header: 8 } };
    const svg = printSvg(
      { title: '', source: '', drawing: ALL_FIGURES.compressed.draw({ ...subject, bits }, { id: 'x', width: 860 })! },
      readColors(css, 'light'),
    );
    expect(texts(svg)).toEqual(expect.arrayContaining(['36 other fields', '360', '36.0', 'container', '1.0', '61.0']));
  });
});

describe('one side after compression', () => {
  test.each<[string, readonly string[], string, boolean]>([
    [
      'one more field than there are rows for has its own row',
      Array.from({ length: 25 }, (_, at) => `f${at}`),
      'f24',
      true,
    ],
    ['two more have none', Array.from({ length: 26 }, (_, at) => `f${at}`), 'f24', false],
    ['bytes of the messages themselves have a name', [MESSAGE_PATH, 'f1'], 'the messages themselves', true],
  ])('%s', (_name, paths, name, isShown) => {
    const fields = paths.map((path) => ({ path, bytes: { value: 10 }, paid: { value: 8 } }));
    const svg = draw('compressed', 'light', 860, { ...subject, bits: { ...subject.bits!, fields } });
    expect(svg.includes(`>${name}<`)).toBe(isShown);
    expect(svg.includes('2 other fields')).toBe(!isShown);
  });
});

describe('encodings and compressors', () => {
  const textsOf = (changed: Partial<MatrixSizes>, by: string | null = null): readonly string[] => {
    const matrix = { sizes: { ...sizes, ...changed }, by };
    const drawing = ALL_FIGURES.matrix.draw({ ...subject, matrix }, { id: 'x', width: 720 })!;
    const boxes = boxesOf(printSvg({ title: '', source: '', drawing }, readColors(css, 'light')));
    return boxes.flatMap(({ text }) => text?.replaceAll('\u00a0', ' ') ?? []);
  };

  test.each<[string, string | null, readonly string[]]>([
    ['plain', null, ['A', 'B', 'C', 'D']],
    ['after a compressor, and plain where it makes no difference', 'zstd', ['C', 'A', 'B', 'D']],
  ])('the smallest is first, what cannot be written last: %s', (_name, by, expected) => {
    const rows = [row('d', 'D', null, 0, 0), row('c', 'C', 30, 9, 5), row('b', 'B', 20, 9, 7), row('a', 'A', 10, 9, 7)];
    expect(textsOf({ rows }, by).filter((text) => /^[A-D]$/.test(text))).toEqual(expected);
  });

  test('an encoding that leaves values out has a note, one that loses less has none', () => {
    const lossy = (label: string, loss: string) => ({ ...row(label, label, 9, 8, 7), losses: [loss] });
    const texts = textsOf({ rows: [lossy('A', '1 value is dropped'), lossy('B', '1 value is rounded')] });
    expect(texts.filter((text) => text === 'leaves values out')).toHaveLength(1);
    expect(texts[texts.indexOf('A') + 1]).toBe('leaves values out');
  });

  test('sizes of a sample have their error, plain ones too', () => {
    const rows = [{ ...row('protobuf', 'Protobuf', 100, 50, 40), errors: { none: 0.01, gzip: 0.02 } }];
    const texts = textsOf({ rows, sampled: { messages: 2, bytes: 9 } });
    expect(texts.filter((text) => text.includes('±'))).toEqual(['±1.00 %', '±2.00 %', '±?']);
    expect(textsOf({ rows }).filter((text) => text.includes('±'))).toEqual([]);
  });
});

test.each([
  [292, 127_849],
  [292, 24_999_999],
  [612, 24_999_999],
  [932, 24_999_999],
])(
  'encodings and compressors, %i pixels wide, sizes up to %i: no figure is cut or lies over another',
  (width, size) => {
    const ids = ['gzip', 'snappy', 'lz4-block', 'lz4-frame', 'zstd', 'brotli'];
    const compressed = Object.fromEntries(ids.map((id) => [id, size]));
    const errors = Object.fromEntries(['none', ...ids].map((id) => [id, 0.1234]));
    const rows = [{ ...row('protobuf', 'Protobuf', size, 0, 0), compressed, errors }];
    const of = {
      ...sizes,
      rows,
      sampled: { messages: 2, bytes: 9 },
      compressors: ids.map((id) => library(id, id, id)),
    };
    const drawing = ALL_FIGURES.matrix.draw({ ...subject, matrix: { sizes: of, by: null } }, { id: 'x', width })!;
    const words = boxesOf(printSvg({ title: '', source: '', drawing }, readColors(css, 'light')));
    const figures = words.filter(({ text }) => text?.match(/^[\d,.]+$|[×%]$/));
    expect(figures).toHaveLength(3 * 7);
    const margin = PICTURE_MARGINS / 2;
    const isWrong = (word: Box): boolean =>
      word.left < margin || word.right > margin + width || figures.some((one) => one !== word && overlap(word, one));
    expect(figures.filter(isWrong).map(({ text }) => text)).toEqual([]);
  },
);

describe('A and B by field', () => {
  /** Fields of a value each. */
  const of = (values: readonly number[]): Profile => ({
    ...profile,
    ledgers: { protobuf: { ...profile.ledgers['protobuf']!, bytes: values.reduce((sum, bytes) => sum + bytes, 0) } },
    fields: values.map((value, at) => ({
      ...{ ...profile.fields[0]!, path: `f${at}`, name: `f${at}`, parent: '', ledgers: { protobuf: { value } } },
    })),
  });
  const drawn = (a: Profile, b: Profile, after: FigurePair['after'] = []): string => {
    const pair = { name: 'a', a, aligned: {}, after };
    const drawing = ALL_FIGURES.pair.draw({ ...subject, profile: b, pair }, { id: 'x', width: 860 })!;
    return printSvg({ title: '', source: '', drawing }, readColors(css, 'light'));
  };
  const rowsOf = (a: Profile, b: Profile, after: FigurePair['after'] = []): readonly (readonly string[])[] => {
    const svg = drawn(a, b, after);
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
    const names = texts.flatMap((text, at) => (/^(f\d+|\d+ others|all)$/.test(text) ? [at] : []));
    return names.map((at) => texts.slice(at, at + 4 + 3 * after.length));
  };

  test('fields that change most are first, the others are one row, and all rows sum to the totals', () => {
    const values = Array.from({ length: 60 }, (_, at) => 100 + at);
    const rows = rowsOf(of(values), of(values.map((value, at) => (at % 2 === 0 ? value + at : value - at))));
    expect(rows.slice(0, 2)).toEqual([
      ['f59', '159', '100', '−59'],
      ['f58', '158', '216', '+58'],
    ]);
    expect(rows).toHaveLength(26);
    expect(rows.at(-2)).toEqual(['36 others', '4,230', '4,212', '−18']);
    expect(rows.at(-1)).toEqual(['all', '7,770', '7,740', '−0.39\u00a0%']);
  });

  test('the bars of all rows, the others among them, sum to the totals', () => {
    const values = Array.from({ length: 60 }, (_, at) => 100 + at);
    const bars = [...drawn(of(values), of(values)).matchAll(/ data-bytes="(\d+)"/g)].map(([, bytes]) => Number(bytes));
    expect(bars.reduce((sum, bytes) => sum + bytes, 0)).toBe(2 * 7770);
  });

  test('one more field than there are rows for has a row of its own', () => {
    const values = Array.from({ length: 25 }, () => 10);
    const rows = rowsOf(of(values), of(values));
    expect(rows.map(([name]) => name)).toEqual([...values.map((_, at) => `f${at}`), 'all']);
    expect(rows.at(-1)).toEqual(['all', '250', '250', '0\u00a0%']);
  });

  test('a change that rounds to nothing has no sign', () => {
    const bits = (paid: number): BitsFacts => ({
      ...{ ...subject.bits!, plainBytes: 5, compressedBytes: 1, container: {} },
      fields: [{ path: 'f0', bytes: { value: 5 }, paid: { value: paid } }],
    });
    const [row] = rowsOf(of([5]), of([5]), [{ a: bits(8), b: bits(8.2) }]);
    expect(row).toEqual(['f0', '5', '5', '0', '1.0', '1.0', '0.0']);
    const [less] = rowsOf(of([5]), of([4]), [{ a: bits(8), b: bits(6) }]);
    expect(less).toEqual(['f0', '5', '4', '−1', '1.0', '0.8', '−0.3']);
    const [more] = rowsOf(of([5]), of([1205]), [{ a: bits(8), b: bits(9600) }]);
    expect(more).toEqual(['f0', '5', '1,205', '+1,200', '1.0', '1,200.0', '+1,199.0']);
  });

  test('a field without bytes has no row, and a total of nothing has no share', () => {
    expect(rowsOf(of([0, 0, 0]), of([0, 5, 0]))).toEqual([
      ['f1', '0', '5', '+5'],
      ['all', '0', '5', '+5'],
    ]);
  });
});

describe('fields', () => {
  const bytesOf = (lines: ReturnType<typeof fieldLines>, side: 'first' | 'second'): number =>
    lines.flatMap((line) => line[side]).reduce((sum, { bytes }) => sum + bytes, 0);

  test.each([1, 3, 10, 1000])('the %i largest fields and the rest sum to the totals', (most) => {
    const lines = fieldLines(profile, most);
    expect(bytesOf(lines, 'first')).toBe(totalIn(profile, profile.pair[0]));
    expect(bytesOf(lines, 'second')).toBe(totalIn(profile, profile.pair[1]));
  });

  test('a name with dots of its own is one level: the message in an Any, and an extension', () => {
    const [hit] = profile.fields;
    const under = (parent: string, name: string) => ({
      ...{ ...hit!, name, parent, path: parent === '' ? name : `${parent}.${name}` },
    });
    const fields = [
      under('', 'any'),
      under('any', '[a.b.Held]'),
      under('any.[a.b.Held]', 'n'),
      under('any.[a.b.Held]', '[x.y.ext]'),
    ];
    const lines = fieldLines({ ...profile, fields }, 10);
    expect(lines.map(({ name, depth }) => [name, depth])).toEqual([
      ['any', 0],
      ['[a.b.Held]', 1],
      ['n', 2],
      ['[x.y.ext]', 2],
    ]);
  });

  test('the categories of the others are in the order of all bars', () => {
    const [hit] = profile.fields;
    const cellsOf = (cells: object) => Object.fromEntries(profile.pair.map((id) => [id!, cells]));
    const fields = [{ value: 9 }, { length: 1, value: 1 }, { tag: 1 }].map((cells, at) => ({
      ...{ ...hit!, name: `f${at}`, path: `f${at}`, parent: '', ledgers: cellsOf(cells) },
    }));
    const { first, second } = fieldLines({ ...profile, fields }, 1).at(-1)!;
    for (const side of [first, second])
      expect(side.map(({ category }) => category)).toEqual(['tag', 'length', 'value']);
  });

  test('others are counted, parents of shown fields are shown, and fields without bytes are neither', () => {
    const [hit] = profile.fields;
    const fields = (['a', 'a.b', 'a.b.c', 'd', 'e', 'f'] as const).map((path, at) => ({
      ...{ ...hit!, path, name: path.slice(-1), parent: path.slice(0, -2) },
      ledgers: { protobuf: { value: [1, 1, 9, 2, 2, 0][at]! } },
    }));
    const names = (most: number) => fieldLines({ ...profile, fields }, most).map(({ name }) => name);
    expect(names(1)).toEqual(['a', 'b', 'c', '2 other fields']);
    expect(names(2)).toEqual(['a', 'b', 'c', 'd', '1 other field']);
    expect(names(3)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('unread bytes have a line', () => {
    const lines = fieldLines({ ...profile, unattributed: 7 }, 5);
    expect(lines.at(-1)).toMatchObject({ name: 'unattributed', first: [{ bytes: 7 }] });
  });
});

describe('tables', () => {
  test('CSV', async () => {
    await expect(printCsv(profile)).toMatchFileSnapshot(golden('hits.csv'));
  });

  test('CSV cells that a spreadsheet would take for formulas or columns stay text', () => {
    const field = { ...profile.fields[0]!, path: '=1+1', writer: 'a "b", c' };
    expect(printCsv({ ...profile, fields: [field] })).toMatch(/\r\n'=1\+1,.*,"a ""b"", c"\r\n$/);
  });

  test('CSV of JSON without a type leaves out what is not counted: numbers and records', () => {
    const of = { number: 0, declared: null, occurrences: 0, writer: null, ledgers: { json: { key: 3, value: 1 } } };
    const fields = [
      { ...profile.fields[0]!, ...of, path: '(root)', parents: 1, presence: 1 },
      { ...profile.fields[0]!, ...of, path: 'a', parents: 0, presence: 0 },
    ];
    const other = { label: 'JSON', isCaptured: true, isAlone: true };
    expect(printCsv({ ...profile, type: '', pair: ['protobuf', 'json'], other, fields })).toBe(
      'path,number,type,occurrences,parents,presence,json_value,json_key,writer\r\n(root),,,,1,1,1,3,\r\na,,,,,,1,3,\r\n',
    );
  });

  test('CSV with unread bytes has them in a column of their own, beside those of values', () => {
    const lines = printCsv({ ...profile, unattributed: 7, pair: ['protobuf', null] })
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toContain('protobuf_tag,protobuf_length,protobuf_value,protobuf_unattributed,');
    expect(lines.at(-1)).toMatch(/^unattributed,{6}0,0,0,7,/);
  });

  const { protobuf } = profile.ledgers;
  const unread = { ...profile.ledgers, protobuf: { ...protobuf!, bytes: totalIn(profile, 'protobuf') + 7 } };
  test.each<[string, Profile]>([
    ['both sides', profile],
    ['protobuf alone', { ...profile, pair: ['protobuf', null] }],
    ['both sides, and bytes that could not be read', { ...profile, unattributed: 7, ledgers: unread }],
    ['protobuf alone, and such bytes', { ...profile, unattributed: 7, ledgers: unread, pair: ['protobuf', null] }],
  ])('the columns of both tables sum to the bytes of the profile: %s', (_, of) => {
    const [first, second] = of.pair.map((id) => totalIn(of, id));
    const [head, ...lines] = printCsv(of).trimEnd().split('\r\n');
    const sumOf = (prefix: string): number =>
      head!.split(',').reduce((sum, name, column) => {
        if (!name.startsWith(prefix)) return sum;
        return lines.reduce((all, line) => all + Number(line.split(',')[column]), sum);
      }, 0);
    expect([sumOf('protobuf_'), sumOf('native_')]).toEqual([first, second]);

    const plain = (cell: string): number => Number(cell.replace('−', '-').replaceAll(/[*,+]/g, ''));
    const table = printMarkdown(of)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' | '));
    const all = table.at(-1)!.map((cell) => cell.replace(' |', ''));
    const titles = table[0]!.map((cell) => cell.replace(' |', ''));
    for (const [column, title] of titles.entries()) {
      if (!['protobuf', 'native', 'difference'].includes(title)) continue;
      const cells = table.slice(2, -1).map((line) => plain(line[column]!.replace(' |', '')));
      expect(
        cells.reduce((sum, bytes) => sum + bytes, 0),
        title,
      ).toBe(plain(all[column]!));
    }
    expect(plain(all[titles.indexOf('protobuf')]!)).toBe(first);
    expect(titles.includes('difference')).toBe(of.pair[1] !== null);
  });

  test('Markdown', async () => {
    await expect(printMarkdown(profile)).toMatchFileSnapshot(golden('hits.md'));
  });
});

describe('profilers', () => {
  test('speedscope: both sides, bytes as weights', () => {
    const file = JSON.parse(printSpeedscope(profile, subject.from));
    expect(file.profiles.map(({ name }: { name: string }) => name)).toEqual([
      'protobuf, 12-term-1000.pcap',
      'native, 12-term-1000.pcap',
    ]);
    for (const [index, id] of profile.pair.entries()) {
      const { weights, samples, endValue } = file.profiles[index];
      expect(weights.reduce((sum: number, weight: number) => sum + weight, 0)).toBe(totalIn(profile, id));
      expect(endValue).toBe(totalIn(profile, id));
      expect(samples.flat().every((frame: number) => file.shared.frames[frame] !== undefined)).toBe(true);
    }
  });

  test.each([
    ['fields alone', []],
    ['size prefixes', [SIZE_PREFIX_PATH]],
    ['the messages themselves', [MESSAGE_PATH]],
    ['bytes of no field, before and between', [UNATTRIBUTED_PATH, OTHERS_PATH, SIZE_PREFIX_PATH, MESSAGE_PATH]],
  ])('the compressed side sums to the compressed bytes: %s', (_, around) => {
    const of = bitsOf(0.25);
    const paid = { length: 8 * 7, value: 12 };
    const bits: BitsFacts = {
      ...of,
      compressedBytes: of.compressedBytes + 8.5 * around.length,
      fields: [...of.fields, ...around.map((path) => ({ path, bytes: { length: 9, value: 2 }, paid }))],
    };
    const { weights, endValue } = JSON.parse(printSpeedscope(profile, subject.from, bits)).profiles.at(-1);
    expect(endValue).toBeCloseTo(bits.compressedBytes);
    expect(weights.reduce((sum: number, weight: number) => sum + weight, 0)).toBe(endValue);
    const { samples } = JSON.parse(printFirefoxProfile(profile, subject.from, bits)).threads.at(-1);
    expect(samples.weight).toEqual(weights);
  });

  test('Firefox Profiler: tables of equal columns, every stack ends in its category', () => {
    const { threads, meta } = JSON.parse(printFirefoxProfile(profile, subject.from));
    for (const [index, id] of profile.pair.entries()) {
      const { samples, stackTable, frameTable, funcTable, stringArray } = threads[index];
      expect(samples.weight.reduce((sum: number, weight: number) => sum + weight, 0)).toBe(totalIn(profile, id));
      for (const table of [samples, stackTable, frameTable, funcTable]) {
        for (const column of Object.values(table).filter(Array.isArray)) expect(column).toHaveLength(table.length);
      }
      for (const stack of samples.stack) {
        const frame = stackTable.frame[stack];
        const name = stringArray[funcTable.name[frameTable.func[frame]]];
        expect(meta.categories[frameTable.category[frame]].name).toBe(name);
      }
    }
  });
});

test.each([
  ['fits', 'one two', 10, ['one two']],
  ['breaks at words', 'one two three', 8, ['one two', 'three']],
  ['a long word stands alone', 'a verylongword b', 6, ['a', 'verylongword', 'b']],
])('wrap: %s', (_, text, characters, lines) => {
  expect(wrap(text, characters)).toEqual(lines);
});

describe('snippets', () => {
  const embedding = {
    app: 'https://wirecost.example/',
    title: 'Hits "a" & <b>',
    link: 'w1-4-0000000-AAAw',
    figure: 'waterfall',
    picture: 'a capture.pcap.waterfall',
    theme: 'auto',
  } as const;

  test.each(Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[])('%s carries the link and no open markup', (snippet) => {
    const lines = printSnippet(snippet, embedding);
    expect(lines).toContain('w1-4-0000000-AAAw');
    if (snippet !== 'link') expect(lines).toContain('Hits &quot;a&quot; &amp; &lt;b&gt;');
  });

  test('Markdown names the pictures as they are saved, in a form that VitePress takes for a path, too', () => {
    const lines = printSnippet('markdown', embedding);
    for (const end of ['.svg', '-dark.svg']) expect(lines).toContain(`"./a%20capture.pcap.waterfall${end}"`);
  });

  test('the address that a snippet gives is the one that the embed reads', () => {
    const [, address] = /src="([^"]+)"/.exec(printSnippet('html', { ...embedding, theme: 'dark', figure: 'layers' }))!;
    expect(readEmbedFragment(new URL(address!.replaceAll('&amp;', '&')).hash)).toEqual({
      figure: 'layers',
      theme: 'dark',
      link: embedding.link,
      unknown: null,
    });
  });

  test('a figure of a later version is named, not guessed', () => {
    expect(readEmbedFragment('#figure=pie&w1-x')).toMatchObject({ unknown: 'pie', link: 'w1-x' });
  });
});
