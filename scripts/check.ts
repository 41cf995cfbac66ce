/**
 * Everything that must hold, step by step → each step's own output, and one last line `N passed, N failed`. A step that
 * runs tests counts its tests; any other counts as one. A step with a bad exit code never counts as passed, even if its
 * report is clean: a crash may leave one. `--e2e` adds the end-to-end tests (`npm test`).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_MISSING, findChromium } from './chromium.mjs';
import { countPlaywright, countVitest, settle, type Tally } from './tally.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const reports = `${root}node_modules/.cache/wirecost`;
const STEP_MINUTES = 20;

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the step leaves its report, and how to count the tests in it. */
  readonly report?: { readonly path: string; readonly count: (report: unknown) => Tally };
  readonly env?: Readonly<Record<string, string>>;
  /** The step that must have passed before, and what else it takes. */
  readonly after?: string;
  readonly missing?: () => string | undefined;
}

const vitestReport = `${reports}/vitest.json`;
const playwrightReport = `${reports}/playwright.json`;

/** Steps that run one after the other. */
type Lane = readonly Step[];

/** Phases, one after the other, of lanes that run beside each other. Packing takes one core; the unit tests leave some. */
const PHASES: readonly (readonly Lane[])[] = [
  [
    [
      // Five times as fast as `typescript`, which stays for its interface: the boundaries are found with it.
      { name: 'types', command: ['node', 'node_modules/typescript-7/bin/tsc', '-b'] },
      { name: 'words', command: ['tsx', 'scripts/words.ts'] },
      { name: 'boundaries', command: ['tsx', 'scripts/boundaries.ts'] },
      { name: 'dead code', command: ['knip'] },
      { name: 'code that only tests import', command: ['knip', '--production'] },
    ],
    [
      {
        name: 'format and lint',
        command: ['biome', 'ci', '--error-on-warnings', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`],
      },
      { name: 'lock file', command: ['node', 'scripts/lock.mjs', '--check'] },
      { name: 'build', command: ['vite', 'build', '--logLevel', 'warn'] },
      { name: 'bundle budget', command: ['tsx', 'scripts/budget.ts'], after: 'build' },
    ],
  ],
  [
    [
      {
        name: 'unit, property and golden tests',
        command: [
          'vitest',
          'run',
          '--allowOnly=false',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${vitestReport}`,
        ],
        report: { path: vitestReport, count: countVitest },
      },
    ],
    [{ name: 'package', command: ['tsx', 'scripts/package-trial.ts'] }],
  ],
];

const END_TO_END: Step = {
  name: 'end-to-end tests',
  command: ['playwright', 'test', '--forbid-only', '--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  report: { path: playwrightReport, count: countPlaywright },
  after: 'build',
  missing: () => (findChromium() ? undefined : CHROMIUM_MISSING),
};

/** Ends each command that runs. */
const running = new Set<() => void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const stop of running) stop();
    process.exit(130);
  });
}

/**
 * Its exit code; a step that hangs is ended, with all it started.
 * @param print gets the output when the command has ended; without it the command writes to the terminal itself
 */
function execute(
  command: readonly string[],
  env: Readonly<Record<string, string>> | undefined,
  print: ((output: Buffer) => void) | undefined,
): Promise<number> {
  const [program = '', ...args] = command;
  return new Promise((done) => {
    const windows = process.platform === 'win32';
    const stream = print === undefined ? 'inherit' : 'pipe';
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', stream, stream],
      env: { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env['PATH']}`, ...env },
      shell: windows,
      detached: !windows,
    });
    const output: Buffer[] = [];
    for (const from of [child.stdout, child.stderr]) from?.on('data', (part: Buffer) => output.push(part));
    const stop = () => {
      try {
        if (child.pid !== undefined && !windows) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => {
      console.error(`Stopped after ${STEP_MINUTES} minutes.`);
      stop();
    }, STEP_MINUTES * 60_000);
    running.add(stop);
    const end = (code: number) => {
      clearTimeout(timer);
      running.delete(stop);
      print?.(Buffer.concat(output));
      done(code);
    };
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      end(1);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

function readReport(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param isFirst of a phase: it writes to the terminal while it runs; the others when they have ended */
async function perform({ name, command, report, env, missing }: Step, isFirst: boolean): Promise<Tally> {
  const title = `\n── ${name}`;
  const print = (output: Buffer): void => {
    console.log(title);
    process.stdout.write(output);
  };
  if (isFirst) console.log(title);
  const obstacle = missing?.();
  if (obstacle !== undefined) {
    console.error(obstacle);
    return { passed: 0, failed: 1 };
  }
  if (report !== undefined) rmSync(report.path, { force: true });
  const code = await execute(command, env, isFirst ? undefined : print);
  return settle(code, report?.count(readReport(report.path)));
}

mkdirSync(reports, { recursive: true });
const phases = process.argv.includes('--e2e') ? [...PHASES, [[END_TO_END]]] : PHASES;
const results = new Map<string, { readonly tally: Tally; readonly seconds: number }>();

async function take(step: Step, isFirst: boolean): Promise<void> {
  const start = performance.now();
  const needed = step.after === undefined ? undefined : results.get(step.after)?.tally;
  let tally: Tally;
  if (needed !== undefined && needed.failed > 0) {
    console.error(`\n── ${step.name}\nNot run: ${step.after} failed.`);
    tally = { passed: 0, failed: 1 };
  } else {
    tally = await perform(step, isFirst);
  }
  results.set(step.name, { tally, seconds: (performance.now() - start) / 1000 });
}

for (const lanes of phases) {
  await Promise.all(
    lanes.map(async (lane, index) => {
      for (const step of lane) await take(step, index === 0);
    }),
  );
}

console.log('');
let passed = 0;
let failed = 0;
for (const [name, { tally, seconds }] of results) {
  passed += tally.passed;
  failed += tally.failed;
  const outcome = tally.failed > 0 ? `${tally.passed} passed, ${tally.failed} FAILED` : `${tally.passed} passed`;
  console.log(`${name.padEnd(34)}${`${seconds.toFixed(1)} s`.padStart(8)}   ${outcome}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
