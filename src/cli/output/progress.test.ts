import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { run } from '../run.ts';
import { eraseProgress, progressOf, showProgress } from './progress.ts';

const CAPTURE = fileURLToPath(new URL('../../../public/samples/opensearch-search.pcap', import.meta.url));
const PAYLOAD = fileURLToPath(new URL('../../../public/samples/otlp-traces.binpb', import.meta.url));
const SMALL = fileURLToPath(new URL('../../../public/samples/vitess-execute-batch.binpb', import.meta.url));
const ERASE = '\r\x1b[K';

afterEach(() => showProgress(null));

function watch(after = 0, between = 0, width = 60): string[] {
  const written: string[] = [];
  showProgress({ write: (text) => written.push(text), width, after, between });
  return written;
}

test.each([
  { args: ['analyze', CAPTURE], steps: ['Reading', 'Adding up the bytes'] },
  { args: ['messages', CAPTURE], steps: ['Reading'] },
  { args: ['layers', CAPTURE], steps: ['Reading'] },
  { args: ['matrix', SMALL], steps: ['Reading', 'Adding up the bytes', 'Compressing every encoding'] },
  {
    args: ['advise', SMALL, '--schema', 'schemas/vitess', '--type', 'query.ExecuteBatchRequest'],
    steps: ['Reading', 'Measuring changes'],
  },
  { args: ['map', CAPTURE], steps: ['Reading', 'Adding up the bytes'] },
])('$args.0 says what it does, in one line', async ({ args, steps }) => {
  const written = watch();
  const { code } = await run(args);
  expect(code).toBe(0);
  for (const step of steps) expect(written.some((text) => text.startsWith(`${ERASE}${step}`))).toBe(true);
  for (const text of written) expect(text.slice(ERASE.length)).toMatch(/^[^\n\r]{1,60}$/u);
  eraseProgress();
  expect(written.at(-1)).toBe(ERASE);
});

test('without a terminal, nothing is written', async () => {
  const written = watch();
  showProgress(null);
  written.length = 0;
  await run(['analyze', PAYLOAD]);
  expect(written).toEqual([]);
});

test('a short command shows no line, and updates keep their distance', () => {
  const late = watch(Number.POSITIVE_INFINITY);
  progressOf('Reading')(1, 2);
  expect(late).toEqual([]);
  const seldom = watch(0, 60_000);
  progressOf('Reading')(1, 4);
  progressOf('Reading')(2, 4);
  expect(seldom).toEqual([`${ERASE}Reading … 25.0 %`]);
});

test('a name cannot leave its line, and a long one is cut', () => {
  const written = watch(0, 0, 30);
  progressOf('Reading \x1b[2Ja\nb')(1, 2);
  progressOf(`Reading ${'x'.repeat(100)}`)(1, 2);
  for (const text of written) {
    const shown = text.slice(ERASE.length);
    expect(shown.length).toBeLessThanOrEqual(30);
    expect([...shown].every((letter) => letter >= ' ')).toBe(true);
  }
});
