/**
 * `npm run bench -- [PATTERN]`: for each kind of payload whose name holds PATTERN, a process of its own (an engine's
 * optimiser remembers the shapes it has seen), in it all contestants side by side, then one table; and reading a large
 * capture, if `capture` holds PATTERN; decoding with books of bits, if `bits` does; irregular messages, if `irregular` does.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureBits } from './bits.ts';
import { measureCapture } from './capture.ts';
import { bytesPerRow, contestantsFor } from './contestants.ts';
import { measureIrregular } from './irregular.ts';
import { makePayload, PAYLOAD_KINDS, type PayloadKind } from './payloads.ts';
import { race } from './ratios.ts';
import { measureSchema } from './schema.ts';

const SIZE = 10_000_000;
const ROUNDS = 41;
/** The benchmark of reading the types of a payload. */
const SCHEMA = 'schema';

async function measure(kind: PayloadKind): Promise<void> {
  const payload = makePayload(kind, SIZE);
  const megabytes = payload.bytes.length / 1e6;
  console.log(`\n${kind}: ${megabytes.toFixed(1)} MB in ${payload.ends.length} messages, ${ROUNDS} rounds`);
  console.log(`${''.padEnd(22)}${'MB/s'.padStart(8)}${'times as fast'.padStart(16)}${'p10 – p90'.padStart(16)}`);
  const standings = race(await contestantsFor(payload), ROUNDS);
  for (const { name, time, ratio } of standings) {
    const speed = ((megabytes * 1e6) / time).toFixed(0).padStart(8);
    const range = `${ratio.p10.toFixed(2)} – ${ratio.p90.toFixed(2)}`.padStart(16);
    console.log(`${name.padEnd(22)}${speed}${`${ratio.median.toFixed(2)}×`.padStart(16)}${range}`);
  }
  const timeOf = (wanted: string): number => standings.find(({ name }) => name === wanted)!.time;
  const shareOf = (walk: string): string => (timeOf(walk) / timeOf('scan')).toFixed(2);
  console.log(`scan runs at ${shareOf('bare walk')} of the bare walk, ${shareOf('checked walk')} of the checked walk`);
  console.log(`annotate holds ${bytesPerRow(payload).toFixed(1)} bytes a row`);
}

const CAPTURE = 'capture';
const BITS = 'bits';
const IRREGULAR = 'irregular';

const [, , first = '', second, ...more] = process.argv;
if (first === '--kind') {
  if (second === SCHEMA) measureSchema();
  else await measure(second as PayloadKind);
} else {
  const chosen = [...PAYLOAD_KINDS, SCHEMA].filter((kind) => kind.includes(first));
  const withCapture = CAPTURE.includes(first);
  const withBits = BITS.includes(first);
  const withIrregular = IRREGULAR.includes(first);
  if (chosen.length === 0 && !withCapture && !withBits && !withIrregular) {
    console.error(
      `Nothing is called ${first}. There are: ${[...PAYLOAD_KINDS, SCHEMA, CAPTURE, BITS, IRREGULAR].join(', ')}`,
    );
    process.exitCode = 1;
  }
  console.log(
    `CPU time on Node ${process.versions.node}; payloads are compared with protobufjs decode in the same round.`,
  );
  for (const kind of chosen) {
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [...process.execArgv, self, '--kind', kind], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
  if (withBits) await measureBits();
  if (withIrregular) measureIrregular();
  if (withCapture) await measureCapture(second === undefined ? [] : [second, ...more]);
}
