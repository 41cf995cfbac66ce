/**
 * `npm run spark -- try [SHARDS]`: a real local Spark, executors as processes of their own, maps captures, loses an
 * executor on the way, and its sum must equal a single run's to the byte. Needs Python 3, its venv module and a JDK of
 * version 17 or later; PySpark is installed below node_modules/.cache.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = `${root}node_modules/.cache/spark`;
const wirecost = `${root}build/cli/main.js`;
const CAPTURES = [
  'public/samples/opensearch-search.pcap',
  'fixtures/capture/opensearch-deflate.pcap',
  'fixtures/capture/otlp-http-gzip.pcapng',
  'fixtures/capture/remote-write-1-and-2.pcapng',
  'fixtures/capture/vitess-gzip.pcapng',
];
const PARTITIONS = 16;
const EXECUTOR_MEGABYTES = 1024;
/** Milliseconds after the first executor is seen. */
const KILL_AFTER = 4000;

const [command, shardCount = '10000'] = process.argv.slice(2);
if (command !== 'try') {
  console.error('usage: npm run spark -- try [SHARDS]');
  process.exit(1);
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 2] });

if (!existsSync(`${home}/bin/python`)) {
  run('python3', '-m', 'venv', home);
  run(`${home}/bin/pip`, 'install', '--quiet', 'pyspark');
}
run(process.execPath, '--import', 'tsx', `${root}scripts/package.ts`);

const work = `${home}/work`;
rmSync(work, { recursive: true, force: true });
mkdirSync(`${work}/shards`, { recursive: true });
const shards = Array.from({ length: Number(shardCount) }, (_, n) => {
  const source = CAPTURES[n % CAPTURES.length]!;
  const shard = join(work, 'shards', `${String(n).padStart(6, '0')}-${basename(source)}`);
  linkSync(`${root}${source}`, shard);
  return shard;
});
const list = `${work}/list`;
writeFileSync(list, `${shards.join('\n')}\n`);

/** Resolves with the time that the program took, in seconds. */
const timed = (program: string, args: readonly string[], onStart: (running: () => boolean) => void = () => {}) =>
  new Promise<number>((done, fail) => {
    const start = performance.now();
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, WIRECOST: `${process.execPath} ${wirecost}`, PYSPARK_PYTHON: `${home}/bin/python` },
    });
    let isRunning = true;
    onStart(() => isRunning);
    child.on('exit', (code) => {
      isRunning = false;
      if (code === 0) done((performance.now() - start) / 1000);
      else fail(new Error(`${basename(program)} ended with ${code}`));
    });
  });

const single = `${work}/single.ndjson`;
const alone = await timed('sh', ['-c', `${process.execPath} ${wirecost} map --files ${list} > ${single} 2> /dev/null`]);

let killed: string | undefined;
const spark = await timed(
  `${home}/bin/spark-submit`,
  [
    '--master',
    `local-cluster[2,${Math.max(1, Math.floor(cpus().length / 2))},${EXECUTOR_MEGABYTES}]`,
    '--conf',
    'spark.ui.enabled=false',
    '--conf',
    'spark.log.level=ERROR',
    `${root}scripts/spark/map_merge.py`,
    list,
    `${work}/spark.ndjson`,
    String(PARTITIONS),
  ],
  (isRunning) => void killOne(isRunning),
);

/** Kills the first executor once it has worked for a while. */
async function killOne(isRunning: () => boolean): Promise<void> {
  while (isRunning() && killed === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [pid] = executors();
    if (pid === undefined) continue;
    await new Promise((resolve) => setTimeout(resolve, KILL_AFTER));
    if (!isRunning()) return;
    process.kill(Number(pid), 'SIGKILL');
    killed = pid;
  }
}

function executors(): readonly string[] {
  try {
    return execFileSync('pgrep', ['-f', 'CoarseGrainedExecutorBackend'], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
}

const json = (lines: string) =>
  execFileSync(process.execPath, [wirecost, 'merge', lines, '--json'], { maxBuffer: 1 << 30 });
const isEqual = json(single).equals(json(`${work}/spark.ndjson`));
const partial = readFileSync(`${work}/spark.ndjson`, 'utf8');
const profiles = partial
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { profile: { rows: number } });
const paths = profiles.reduce((sum, { profile }) => sum + profile.rows, 0);
console.log(`${shards.length} shards, ${cpus().length} cores`);
console.log(`one process:  ${(shards.length / alone).toFixed(0)} shards a second`);
console.log(`Spark:        ${(shards.length / spark).toFixed(0)} shards a second, its start included`);
console.log(`executor:     ${killed === undefined ? 'none was killed: too few shards' : 'one was killed on the way'}`);
console.log(
  `partial:      ${profiles.length} types, ${paths} paths, ${(partial.length / paths).toFixed(0)} bytes a path`,
);
console.log(isEqual ? 'ok   the sums are equal, byte for byte' : 'FAIL the sums differ');
process.exitCode = isEqual && killed !== undefined ? 0 : 1;
