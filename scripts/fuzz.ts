/**
 * `npm run fuzz -- [--seconds N] [--seed S] [--door NAME] [--input FILE]`: tests every entry point ("door") with
 * mutated and generated inputs, and checks the results with oracles. The doors share N seconds. An input with new
 * coverage is kept and mutated further: V8 counts blocks, as AFL counts edges. jazzer.js 4 instruments only modules
 * that `require` loads, but the engine is ES modules.
 *
 * A failure is printed with its bytes, which make a fixture; `--input FILE` opens these once more.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Coverage } from './fuzz/coverage.ts';
import { DOORS, type Door, expect } from './fuzz/doors.ts';
import { mutate } from './fuzz/mutate.ts';
import { pick, randomOf } from './fuzz/random.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    door: { type: 'string' },
    input: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const isKnown = values.door === undefined || Object.hasOwn(DOORS, values.door);
if (values.help || !isKnown) {
  console.error(`usage: npm run fuzz -- [--seconds N] [--seed S] [--door NAME] [--input FILE]
doors: ${Object.keys(DOORS).join(', ')}`);
  process.exit(values.help ? 0 : 1);
}
const doors = Object.entries(DOORS).filter(([name]) => values.door === undefined || name === values.door);
const milliseconds = (1000 * Number(values.seconds)) / doors.length;
const FOUND = fileURLToPath(new URL('../node_modules/.cache/wirecost/fuzz/', import.meta.url));

/** The maximum processor time for one input, in ms: 1 µs a byte, and 5 s for starting up. */
const slowest = (size: number): number => 5000 + size / 1000;
/** Memory that one input may take: 64 bytes a byte, plus memory of decoders and garbage that is not yet collected. */
const mostMemory = (size: number): number => (512 << 20) + 64 * size;
/** Larger inputs run too seldom to find anything. */
const LONGEST = 400_000;
const MOST_KEPT = 2000;
const MOST_FAILURES = 5;

const peak = (): number => 1024 * process.resourceUsage().maxRSS;

async function openOnce(door: Door, bytes: Uint8Array, seed: number): Promise<void> {
  const start = process.cpuUsage();
  const before = peak();
  await door.open(bytes, randomOf(seed));
  const { user, system } = process.cpuUsage(start);
  const took = (user + system) / 1000;
  expect(took < slowest(bytes.length), `took ${Math.round(took)} ms`);
  expect(peak() - before < mostMemory(bytes.length), `took ${(peak() - before) >> 20} MiB`);
}

/** The error's message and its place, with numbers replaced. */
const kindOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack?.split('\n').slice(0, 3).join('\n')}`.replaceAll(/\b\d+ /g, 'N ')
    : `${error}`;

async function fuzz(name: string, door: Door, coverage: Coverage): Promise<number> {
  const kept = [...door.seeds];
  for (const bytes of kept) await openOnce(door, bytes, 0);
  coverage.news();
  const failures = new Set<string>();
  const until = performance.now() + milliseconds;
  let count = 0;
  for (; performance.now() < until && failures.size < MOST_FAILURES; count++) {
    const seed = Number(values.seed) * 1_000_003 + count;
    const random = randomOf(seed);
    const start = door.grammar !== undefined && random(4) === 0 ? door.grammar(random) : pick(kept, random);
    const grown = random(8) === 0 ? start : mutate(start, pick(kept, random), door.words, random);
    const bytes = grown.subarray(0, LONGEST);
    try {
      await openOnce(door, bytes, seed);
    } catch (error) {
      const kind = kindOf(error);
      if (failures.has(kind)) continue;
      failures.add(kind);
      mkdirSync(FOUND, { recursive: true });
      const file = `${FOUND}${name}-${seed}.bin`;
      writeFileSync(file, bytes);
      console.log(`${name}, seed ${seed}, ${file}: ${error instanceof Error ? error.stack : error}`);
      console.log(Buffer.from(bytes.subarray(0, 4096)).toString('base64'));
    }
    if (coverage.news() === 0) continue;
    if (kept.length < MOST_KEPT) kept.push(bytes.slice());
    else kept[door.seeds.length + random(MOST_KEPT - door.seeds.length)] = bytes.slice();
  }
  console.log(`${name}: ${count} inputs, ${kept.length - door.seeds.length} kept for what they ran`);
  return failures.size;
}

if (values.input !== undefined) {
  const seed = Number(/-(\d+)\.bin$/.exec(values.input)?.[1] ?? values.seed);
  for (const [, door] of doors) await openOnce(door, new Uint8Array(readFileSync(values.input)), seed);
} else {
  const coverage = new Coverage();
  let failed = 0;
  for (const [name, door] of doors) if ((await fuzz(name, door, coverage)) > 0) failed++;
  console.log(`${doors.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
