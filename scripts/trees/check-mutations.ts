/**
 * Compares mutated schemas with protoc. We refuse what it refuses, at the same line if it names one. If it accepts a
 * schema, our registry equals its descriptor set, both from the text and from the set.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import { printRegistry } from '#engine/schema/print-registry.ts';
import { factsOfRegistry, factsOfSet } from '#testing/schema-facts.ts';
import { compareFacts } from './compare-facts.ts';
import { type Verdict, withJudge } from './judge.ts';
import { mutate, randomNumbers } from './mutations.ts';

export interface MutationsOutcome {
  /** By both. */
  readonly accepted: number;
  readonly refused: number;
  /** Refused files in which one of our findings is at the line of protoc's first one. */
  readonly samePlace: number;
  /** Equal ones are listed once, the most frequent first. */
  readonly differences: readonly string[];
}

const FOLDER = fileURLToPath(new URL('../../fixtures/schema/mutated/', import.meta.url));

async function sourcesIn(folder: string): Promise<readonly SchemaSource[]> {
  const names = (await readdir(join(FOLDER, folder))).filter((name) => name.endsWith('.proto')).sort();
  return Promise.all(
    names.map(async (name) => {
      return { path: join(folder, name), content: await readFile(join(FOLDER, folder, name), 'utf8') };
    }),
  );
}

/** The first `count` mutations of a seed. */
export async function checkMutations(cache: string, count: number, seed: number): Promise<MutationsOutcome> {
  const [bases, beside] = [await sourcesIn('.'), await sourcesIn('beside')];
  const random = randomNumbers(seed);
  const found = new Map<string, { times: number; readonly example: string }>();
  let accepted = 0;
  let refused = 0;
  let samePlace = 0;
  await withJudge(cache, beside, async (judge) => {
    for (let at = 0; at < count; at++) {
      const base = bases[at % bases.length]!;
      // The first of each stays as it is: all of them are valid.
      const original = String(base.content);
      const { text, edits } = at < bases.length ? { text: original, edits: [] } : mutate(original, random);
      const verdict = await judge([{ path: 'test.proto', content: text }]);
      if (verdict.set === undefined && verdict.words.length === 0) continue;
      const { difference, isSamePlace } = compare(text, beside, verdict);
      if (difference === undefined) {
        if (verdict.set === undefined) {
          refused++;
          if (isSamePlace) samePlace++;
        } else accepted++;
        continue;
      }
      const kind = difference
        .replace(/"[^"]*"/g, '"…"')
        .replace(/[0-9]+/g, '#')
        .slice(0, 120);
      const known = found.get(kind);
      if (known !== undefined) known.times++;
      else
        found.set(kind, {
          times: 1,
          example: `${difference}\n        ${base.path} ${at}: ${edits.join('\n        ')}`,
        });
    }
  });
  const differences = [...found.values()].sort((a, b) => b.times - a.times);
  return { accepted, refused, samePlace, differences: differences.map(({ times, example }) => `${times}× ${example}`) };
}

function compare(
  text: string,
  beside: readonly SchemaSource[],
  { set, words }: Verdict,
): { readonly difference: string | undefined; readonly isSamePlace: boolean } {
  // Files without importers only cost time.
  const near = /beside/.test(text) ? beside : [];
  const { registry, diagnostics } = compileSchema([{ path: 'test.proto', content: text }, ...near]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const say = (difference: string | undefined, isSamePlace = false) => ({ difference, isSamePlace });
  if (set === undefined) {
    if (first === undefined) return say(`accepted by us, refused by protoc: ${words[0]?.replace(/^\S+ /, '') ?? '?'}`);
    const line = Number(/^test\.proto:([0-9]+):/.exec(words[0] ?? '')?.[1]);
    return say(undefined, Number.isNaN(line) || errors.some((error) => error.line === line));
  }
  if (first !== undefined) return say(`refused by us, accepted by protoc: ${first.code} ${first.message}`);
  const isOwn = (file: string) => file === 'test.proto';
  const expected = factsOfSet(set, isOwn);
  const fromText = compareFacts('text', factsOfRegistry(registry, isOwn), expected);
  if (fromText.length > 0) return say(fromText[0]);
  const read = compileSchema([{ path: 'set.binpb', content: set }]);
  const fault = read.diagnostics.find(({ severity }) => severity === 'error');
  if (fault !== undefined) return say(`set: refused by us: ${fault.code} ${fault.message}`);
  const fromSet = compareFacts('set', factsOfRegistry(read.registry, isOwn), expected);
  if (fromSet.length > 0) return say(fromSet[0]);
  return say(differentLine(printRegistry(registry, isOwn), printRegistry(read.registry, isOwn)));
}

/** protoc's text does not have our values of options: those from the text must equal those from the set. */
function differentLine(text: string, set: string): string | undefined {
  const ours = (print: string) =>
    print
      .split('\n')
      .filter((line) => !/^(file| {2}extended by) /.test(line))
      .map((line) => line.replace(/ \/\/ ".*$/, ''));
  const [a, b] = [ours(text), ours(set)];
  const at = a.findIndex((line, index) => line !== b[index]);
  return at < 0 ? undefined : `text and set differ:\n        ${a[at]}\n        ${b[at]}`;
}
