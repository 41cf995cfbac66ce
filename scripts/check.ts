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
const STEP_MINUTES = 12;

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

const STEPS: readonly Step[] = [
  { name: 'types', command: ['tsc', '-b'] },
  {
    name: 'format and lint',
    command: ['biome', 'ci', '--error-on-warnings', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`],
  },
  { name: 'lock file', command: ['node', 'scripts/lock.mjs', '--check'] },
  { name: 'words', command: ['tsx', 'scripts/words.ts'] },
  { name: 'boundaries', command: ['tsx', 'scripts/boundaries.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'code that only tests import', command: ['knip', '--production'] },
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
  { name: 'build', command: ['vite', 'build', '--logLevel', 'warn'] },
  { name: 'bundle budget', command: ['tsx', 'scripts/budget.ts'], after: 'build' },
  { name: 'package', command: ['tsx', 'scripts/package-trial.ts'] },
];

const END_TO_END: Step = {
  name: 'end-to-end tests',
  command: ['playwright', 'test', '--forbid-only', '--reporter=list,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  report: { path: playwrightReport, count: countPlaywright },
  after: 'build',
  missing: () => (findChromium() ? undefined : CHROMIUM_MISSING),
};

/** Its exit code; a step that hangs is ended, with all it started. */
function execute(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const [program = '', ...args] = command;
  return new Promise((done) => {
    const windows = process.platform === 'win32';
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env['PATH']}`, ...env },
      shell: windows,
      detached: !windows,
    });
    const stop = () => {
      try {
        if (child.pid !== undefined && !windows) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const interrupt = () => {
      stop();
      process.exit(130);
    };
    const timer = setTimeout(() => {
      console.error(`Stopped after ${STEP_MINUTES} minutes.`);
      stop();
    }, STEP_MINUTES * 60_000);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
    const end = (code: number) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
      done(code);
    };
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      end(1);
    });
    child.on('exit', (code) => end(code ?? 1));
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

async function perform({ command, report, env, missing }: Step): Promise<Tally> {
  const obstacle = missing?.();
  if (obstacle !== undefined) {
    console.error(obstacle);
    return { passed: 0, failed: 1 };
  }
  if (report === undefined) return settle(await execute(command, env), undefined);
  rmSync(report.path, { force: true });
  const code = await execute(command, env);
  return settle(code, report.count(readReport(report.path)));
}

mkdirSync(reports, { recursive: true });
const results = new Map<string, { readonly tally: Tally; readonly seconds: number }>();
for (const step of process.argv.includes('--e2e') ? [...STEPS, END_TO_END] : STEPS) {
  console.log(`\n── ${step.name}`);
  const start = performance.now();
  const needed = step.after === undefined ? undefined : results.get(step.after)?.tally;
  let tally: Tally;
  if (needed !== undefined && needed.failed > 0) {
    console.error(`Not run: ${step.after} failed.`);
    tally = { passed: 0, failed: 1 };
  } else {
    tally = await perform(step);
  }
  results.set(step.name, { tally, seconds: (performance.now() - start) / 1000 });
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
