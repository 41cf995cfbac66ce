/** The palette's promises: contrast by WCAG 2.2, and colours kept apart under simulated colour blindness. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CATEGORIES, type Category, SLOTS } from '#engine/model/annotation.ts';
import { byLook } from './category-patterns.tsx';

type Rgb = readonly [number, number, number];

const css = readFileSync(new URL('colors.css', import.meta.url), 'utf8');

function token(name: string, theme: 'light' | 'dark'): Rgb {
  const of = new RegExp(`--${name}: var\\(--([\\w-]+)\\)`).exec(css)?.[1];
  if (of !== undefined) return token(of, theme);
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  if (!found) throw new Error(`colors.css has no --${name}`);
  const hex = theme === 'light' ? found[1]! : found[2]!;
  return [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;
}

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB. */
const VISION: Readonly<Record<string, readonly [Rgb, Rgb, Rgb]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Euclidean distance in OKLab (bottosson.github.io/posts/oklab). */
function distance(a: Rgb, b: Rgb, vision: string): number {
  const [p, q] = [a, b].map((color) => {
    const seen = VISION[vision]!.map((row) => Math.max(0, dot(row, color))) as unknown as Rgb;
    const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], seen));
    const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], seen));
    const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], seen));
    return [
      dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
      dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
      dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
    ];
  }) as [number[], number[]];
  return Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!);
}

const PAPERS = ['paper', 'paper-sunk', 'hover', 'selected'];

/** Categories that are side by side in one picture. */
const PICTURES: readonly (readonly Category[])[] = [
  [...SLOTS.protobuf, 'value', 'header', 'unattributed'],
  [...SLOTS.native, 'value', 'unattributed'],
  ['tag', 'flag', 'type', 'count', 'length', 'value'],
  ['key', 'punctuation', 'quotes', 'value', 'unattributed'],
  ['key', 'offset', 'count', 'length', 'value', 'padding', 'unattributed'],
  ['key', 'flag', 'type', 'count', 'length', 'value'],
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  test.each(['ink', 'ink-muted', 'accent', 'good', 'bad', 'warn'])(
    'text in --%s reads at 4.5:1 on every ground',
    (name) => {
      for (const paper of PAPERS)
        expect(contrast(token(name, theme), token(paper, theme)), paper).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('categories that a legend names together have one colour, all others differ', () => {
    const colors = byLook(CATEGORIES).map((alike) => new Set(alike.map((one) => token(`cat-${one}`, theme).join())));
    expect(colors.map(({ size }) => size)).toEqual(colors.map(() => 1));
    expect(new Set(colors.flatMap((one) => [...one])).size).toBe(colors.length);
    expect(byLook(['tag', 'key', 'length', 'value'])).toEqual([['tag', 'key'], ['length'], ['value']]);
  });

  test('text on the accent reads at 4.5:1', () => {
    expect(contrast(token('on-accent', theme), token('accent', theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each([...CATEGORIES.map((category) => `cat-${category}`), 'rule-strong'])(
    '--%s shows at 3:1 on paper',
    (name) => {
      for (const paper of ['paper', 'paper-sunk']) {
        expect(contrast(token(name, theme), token(paper, theme)), paper).toBeGreaterThanOrEqual(3);
      }
    },
  );

  test.each(Object.keys(VISION))('with %s, categories of one picture stay apart', (vision) => {
    for (const picture of PICTURES) {
      for (const [index, a] of picture.entries()) {
        for (const b of picture.slice(index + 1)) {
          const apart = distance(token(`cat-${a}`, theme), token(`cat-${b}`, theme), vision);
          expect(apart, `${a} and ${b}`).toBeGreaterThan(0.08);
        }
      }
    }
  });
});
