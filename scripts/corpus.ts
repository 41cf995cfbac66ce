/**
 * Compares the engine with a folder of recorded captures and independent truth: npm run corpus -- FOLDER [CHECK...]
 * N/M in place of checks: the Nth of M parts of all, for several processes.
 * Prints a table of the checks, every difference, and ends with `N passed, N failed`; exit code 1 if any failed.
 */
import { stat } from 'node:fs/promises';
import { advisor } from './corpus/advisor.ts';
import { bits } from './corpus/bits.ts';
import { capturedJson } from './corpus/captured-json.ts';
import { captures, damagedCaptures, openSearchCaptures } from './corpus/captures.ts';
import type { Check } from './corpus/check.ts';
import { compressedHits } from './corpus/compressed-hits.ts';
import { conformance } from './corpus/conformance.ts';
import { detection } from './corpus/detection.ts';
import { encodings } from './corpus/encodings.ts';
import { kafka } from './corpus/kafka.ts';
import { links } from './corpus/links.ts';
import { nativeCaptures } from './corpus/native-captures.ts';
import { nativeObjects } from './corpus/native-objects.ts';
import { parity } from './corpus/parity.ts';
import { schemaSets, schemaTexts, weirdSchemas } from './corpus/schemas.ts';
import { sizes } from './corpus/sizes.ts';
import { truthByCommand, truthBySet, truthByText } from './corpus/truth.ts';
import { truthByRows } from './corpus/truth-rows.ts';
import { types } from './corpus/types.ts';
import { hpack, pcapng, snappy, zstd } from './corpus/vectors.ts';

const CHECKS: readonly Check[] = [
  detection,
  captures,
  openSearchCaptures,
  damagedCaptures,
  hpack,
  pcapng,
  snappy,
  zstd,
  schemaSets,
  schemaTexts,
  weirdSchemas,
  conformance,
  truthBySet,
  truthByText,
  truthByRows,
  truthByCommand,
  sizes,
  types,
  nativeObjects,
  nativeCaptures,
  kafka,
  links,
  bits,
  advisor,
  encodings,
  capturedJson,
  compressedHits,
  parity,
];
const SHOWN = 5;

const [folder, ...wanted] = process.argv.slice(2);
const [, nth, of] = /^([1-9])\/([1-9])$/.exec(wanted.join(' ')) ?? [];
const isPart = nth !== undefined;
const unknown = wanted.filter((id) => !isPart && !CHECKS.some((check) => check.id === id));
const chosen = CHECKS.filter(({ id }, at) =>
  isPart ? at % Number(of) === Number(nth) - 1 : wanted.length === 0 || wanted.includes(id),
);
if (folder === undefined || unknown.length > 0) {
  console.error(`usage: npm run corpus -- FOLDER [CHECK... | N/M]\nchecks: ${CHECKS.map(({ id }) => id).join(', ')}`);
  process.exit(1);
}
if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
  console.error(`No such folder: ${folder}`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
for (const check of chosen) {
  let good = 0;
  const bad: string[] = [];
  const figures: string[] = [];
  for await (const { name, differences, measured } of check.run(folder)) {
    if (measured !== undefined) figures.push(`${name}: ${measured}`);
    if (differences.length === 0) good++;
    else {
      const more = differences.length - SHOWN;
      bad.push([name, ...differences.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('\n      '));
    }
  }
  // A check without subjects fails.
  if (good + bad.length === 0) bad.push('nothing to check was found');
  passed += good;
  failed += bad.length;
  console.log(
    `${bad.length === 0 ? 'ok  ' : 'FAIL'}  ${check.id.padEnd(20)} ${String(good).padStart(5)} of ${String(good + bad.length).padEnd(5)}  ${check.title}`,
  );
  for (const text of [...figures, ...bad]) console.log(`    ${text}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
