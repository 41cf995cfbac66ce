/** Packages of registries, downloaded once by their ordinary clients → a folder with what they hold. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

export interface Package {
  readonly registry: 'npm' | 'go' | 'maven' | 'pypi';
  /** As the registry's client names it; of Maven, `group:artifact`. */
  readonly name: string;
  readonly version: string;
}

const run = promisify(execFile);
const MINUTES_5 = 5 * 60_000;

const exec = async (program: string, args: readonly string[], cwd: string) =>
  (await run(program, [...args], { cwd, timeout: MINUTES_5, maxBuffer: 64 << 20 })).stdout;

export const packageId = ({ registry, name, version }: Package): string => `${registry} ${name} ${version}`;

/** @returns the folder; downloads only what is not there yet. @throws where the registry does not give it. */
export async function fetchPackage(wanted: Package, cache: string): Promise<string> {
  const folder = join(cache, packageId(wanted).replaceAll(/[^\w.-]+/g, '-'));
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await FETCH[wanted.registry](wanted, partial);
  await rename(partial, folder);
  return folder;
}

const FETCH: Readonly<Record<Package['registry'], (wanted: Package, into: string) => Promise<void>>> = {
  async npm({ name, version }, into) {
    await exec('npm', ['pack', '--silent', `${name}@${version}`], into);
    const [archive = ''] = await readdir(into);
    await exec('tar', ['xzf', archive, '--strip-components=1'], into);
    await rm(join(into, archive));
  },
  async go({ name, version }, into) {
    const answer = await exec('go', ['mod', 'download', '-json', `${name}@${version}`], into);
    await unzip(String((JSON.parse(answer) as { readonly Zip: string }).Zip), into, `${name}@${version}/`);
  },
  async maven({ name, version }, into) {
    const artifact = `-Dartifact=${name}:${version}`;
    await exec('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${into}`], into);
    for (const archive of await readdir(into)) await unzip(join(into, archive), into, '');
  },
  async pypi({ name, version }, into) {
    await exec('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', '.', `${name}==${version}`], into);
    for (const archive of await readdir(into)) await unzip(join(into, archive), into, '');
  },
};

async function unzip(archive: string, into: string, prefix: string): Promise<void> {
  const entries = unzipSync(new Uint8Array(await readFile(archive)), {
    filter: ({ name }) => name.startsWith(prefix) && !name.endsWith('/') && /\.(proto|so|pyd|py|txt)$/.test(name),
  });
  for (const [name, bytes] of Object.entries(entries)) {
    const path = join(into, name.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
