/**
 * Packs the project, installs the tarball into an empty folder and runs it there as one who has nothing else: the
 * command, the app's server, and the examples of docs/library.md, which must also pass the type checker. The command,
 * the server and the examples run with this Node and with the other major version that is supported.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeFragment } from '#permalink/fragment.ts';
import { checkMemory } from './command-memory.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wirecost-package-')));
/** Major versions, oldest first. The newest of each is a package of npm. */
const NODES = ['20', '22'];
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

function expect(what: string, isTrue: boolean): void {
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${what}`);
  if (!isTrue) process.exitCode = 1;
}

/** Path and digest of each file of the built app; none before the first build. */
function builtApp(): string {
  const dist = `${root}dist`;
  if (!existsSync(dist)) return '';
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
    .join('\n');
}

try {
  const before = builtApp();
  execFileSync(npm, ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: ['ignore', 'ignore', 2] });
  expect('two builds are equal, byte for byte', before === '' || before === builtApp());
  writeFileSync(join(folder, 'package.json'), '{ "name": "trial", "private": true, "type": "module" }');
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string };
  run(npm, 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./wirecost-${version}.tgz`);

  const command = join('node_modules', 'wirecost', 'build', 'cli', 'main.js');
  const payload = join('node_modules', 'wirecost', 'dist', 'samples', 'prometheus-remote-write-1.binpb');
  const examples = [...readFileSync(`${root}docs/library.md`, 'utf8').matchAll(/```js\n(.*?)```/gs)];
  for (const [index, [, code = '']] of examples.entries()) writeFileSync(join(folder, `example-${index}.mjs`), code);

  const exported = "import * as all from 'wirecost'; console.log(Object.keys(all).join())";
  writeFileSync(join(folder, 'exports.mjs'), exported);

  for (const node of [process.execPath, ...otherNodes()]) {
    const release = run(node, '--version').trim();
    const onNode = (what: string, isTrue: boolean): void => expect(`Node ${release}: ${what}`, isTrue);
    onNode('--version', run(node, command, '--version') === `wirecost ${version}\n`);
    onNode('analyze finds the type', run(node, command, 'analyze', payload).includes('prometheus.WriteRequest'));
    const [example = ''] = /wirecost analyze .*$/m.exec(
      run(node, command, 'analyze', '--help').split('examples:')[1]!,
    )!;
    onNode(
      'the example of analyze runs',
      run(node, command, ...example.split(' ').slice(1)).includes('SearchHitsProto'),
    );
    onNode('report draws', run(node, command, 'report', payload, '--out', 'report').includes('report'));
    onNode('open serves the app', await servesApp(node, command, payload));
    onNode('Ctrl+C: standard input is read to its end', await readsOnAfterInterrupt(node, command));
    onNode('the library exports its functions alone', run(node, 'exports.mjs') === 'analyze,annotate,readSchema\n');
    for (const index of examples.keys()) {
      onNode(`example ${index + 1} of docs/library.md runs`, run(node, `example-${index}.mjs`) !== '');
    }
  }
  checkMemory(command, folder, expect);

  const schema = 'node_modules/wirecost/schemas/prometheus/remote-write-1.proto';
  run(process.execPath, command, 'check', payload, '-s', schema, '--budget', 'budget.json', '--write');
  expect('action: a budget that is kept', runAction(command, payload, schema).code === 0);
  const budget = JSON.parse(readFileSync(join(folder, 'budget.json'), 'utf8')) as { readonly message: number };
  writeFileSync(join(folder, 'budget.json'), JSON.stringify({ ...budget, message: budget.message * 0.9 }));
  const { code, summary } = runAction(command, payload, schema);
  const shown = ['| `timeseries.labels` |', '10 as before. Messages safe', 'grew by'];
  expect('action: a budget that is exceeded', code === 1 && shown.every((text) => summary.includes(text)));
  writeFileSync(
    join(folder, 'typed.ts'),
    `import { analyze, annotate, readSchema } from 'wirecost';
const { profiles } = await analyze(new Uint8Array(), { schema: readSchema([]) });
export const bytes: number = profiles[0]!.bytes.protobuf + profiles[0]!.fields[0]!.protobuf.tag;
export const start: number = annotate(new Uint8Array()).rows[0]!.start;
`,
  );
  const library = join(folder, 'node_modules/wirecost/build/library');
  const imported = readdirSync(library).flatMap((file) => importsOf(readFileSync(join(library, file), 'utf8')));
  const strange = imported.filter((name) => !name.startsWith('./'));
  expect(`the library imports its own files alone ${strange.join()}`, imported.length > 0 && strange.length === 0);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', 'typed.ts'];
  expect('types', run(process.execPath, join(root, 'node_modules/typescript-7/bin/tsc'), ...options) === '');
} finally {
  rmSync(folder, { recursive: true });
}

/** Names that a minified module imports, statically and on demand. */
function importsOf(code: string): readonly string[] {
  const found = code.matchAll(/(?:\b(?:from|import)|\bimport\()\s*(["'`])([^"'`\s,:]+)\1/g);
  return [...found].map(([, , name = '']) => name);
}

/** Paths of the supported versions that this process is not of. */
function otherNodes(): readonly string[] {
  const others = NODES.filter((major) => !process.version.startsWith(`v${major}.`));
  return others.map((major) => {
    const prefix = join(folder, `node-${major}`);
    run(npm, 'install', '--no-audit', '--no-fund', '--silent', '--prefix', prefix, `node@${major}`);
    return join(prefix, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  });
}

/** The steps of action.yml after the build, as a runner starts them. */
function runAction(
  command: string,
  payload: string,
  schema: string,
): { readonly code: number; readonly summary: string } {
  const at = (name: string): string => join(folder, name);
  for (const name of ['summary.md', 'output']) writeFileSync(at(name), '');
  const { status } = spawnSync('bash', [`${root}scripts/action.sh`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...process.env,
      ...{ WIRECOST: command, INPUTS: `${payload}\n`, SCHEMA: schema, TYPE: '', APP: 'https://wirecost.example.org/' },
      ...{ BUDGET: 'budget.json', BEFORE: schema, RUNNER_TEMP: folder },
      ...{ GITHUB_STEP_SUMMARY: at('summary.md'), GITHUB_OUTPUT: at('output') },
    },
  });
  return { code: status ?? -1, summary: readFileSync(at('summary.md'), 'utf8') };
}

/** As in `tcpdump -w - | wirecost messages -`: both get the signal, and tcpdump writes what it still has. */
async function readsOnAfterInterrupt(node: string, command: string): Promise<boolean> {
  const capture = readFileSync(join(folder, 'node_modules/wirecost/dist/samples/opensearch-search.pcap'));
  const reader = spawn(node, [command, 'messages', '-'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let lines = 0;
  reader.stdout.on('data', (bytes: Buffer) => {
    lines += bytes.toString().split('\n').length - 1;
  });
  const ended = new Promise<number | null>((done) => reader.once('close', done));
  reader.stdin.write(capture.subarray(0, 100));
  await new Promise((done) => setTimeout(done, 1000));
  reader.kill('SIGINT');
  reader.stdin.end(capture.subarray(100));
  return (await ended) === 0 && lines === 34;
}

/** The first line is an address; the file is beside the app. */
async function servesApp(node: string, command: string, payload: string): Promise<boolean> {
  const server = spawn(node, [command, 'open', payload, '--print', '--port', '0'], { cwd: folder });
  try {
    const address = await new Promise<string>((done, fail) => {
      server.stdout.once('data', (bytes: Buffer) => done(bytes.toString().trim()));
      server.once('exit', () => fail(new Error('open ended')));
    });
    const page = await fetch(address);
    const opened = await decodeFragment(new URL(address).hash.slice(1));
    if (!opened.ok || opened.value.data.kind !== 'address') return false;
    const file = await fetch(new URL(opened.value.data.address, address));
    return (await page.text()).includes('<title>Wirecost') && file.ok;
  } finally {
    server.kill();
  }
}
