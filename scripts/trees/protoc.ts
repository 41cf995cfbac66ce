/** protoc from PyPI's grpcio-tools → descriptor sets of the accepted files, and its messages about the refused ones. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPackage, type Package } from './packages.ts';

export interface ImportRoot {
  readonly folder: string;
  /** Prefix of import paths, before the path inside the folder. */
  readonly prefix: string;
}

export interface Protoc {
  readonly version: string;
  /** @param files as imports name them. */
  readonly compile: (files: readonly string[], roots: readonly ImportRoot[], scratch: string) => Promise<Compiled>;
}

export interface Compiled {
  /** The set of all accepted files and their imports. */
  readonly set: Uint8Array;
  /** Refused files, with the first words on each. */
  readonly refused: ReadonlyMap<string, string>;
}

/** protoc 35.1. */
export const PROTOC: Package = { registry: 'pypi', name: 'grpcio-tools', version: '1.85.1' };

const run = promisify(execFile);

export async function findProtoc(cache: string): Promise<Protoc> {
  const tools = await fetchPackage(PROTOC, cache);
  const protoc = (args: readonly string[]) =>
    run('python3', ['-m', 'grpc_tools.protoc', ...args], {
      env: { ...process.env, PYTHONPATH: tools },
      maxBuffer: 256 << 20,
    });
  const { stdout } = await protoc(['--version']);
  return {
    version: stdout.trim(),
    compile: async (files, roots, scratch) => {
      const out = join(scratch, 'tree.binpb');
      const list = join(scratch, 'files.txt');
      const paths = roots.map(
        ({ folder, prefix }) => `-I${prefix === '' ? '' : `${prefix.replace(/\/$/, '')}=`}${folder}`,
      );
      const flags = [
        `--descriptor_set_out=${out}`,
        '--include_imports',
        '--include_source_info',
        '--experimental_editions',
      ];
      const refused = new Map<string, string>();
      await rm(out, { force: true });
      // It writes nothing if one file is refused: refused files are left out until it accepts all.
      for (let left = [...files]; left.length > 0; ) {
        await writeFile(list, left.join('\n'));
        try {
          await protoc([...paths, ...flags, `-I${join(tools, 'grpc_tools/_proto')}`, `@${list}`]);
          return { set: new Uint8Array(await readFile(out)), refused };
        } catch (error) {
          const words = String((error as { readonly stderr?: string }).stderr ?? error);
          const found = refusals(words, new Set(left), roots);
          if (found.size === 0)
            throw new Error(
              words
                .split('\n')
                .filter((line) => !line.includes(': warning: '))
                .slice(0, 9)
                .join('\n'),
            );
          for (const [file, word] of found) refused.set(file, word);
          left = left.filter((file) => !refused.has(file));
        }
      }
      return { set: new Uint8Array(0), refused };
    },
  };
}

/**
 * `path:line:column: message`, `path: message`; a path as on disk where the file was opened, else as imports name it.
 */
function refusals(
  words: string,
  files: ReadonlySet<string>,
  roots: readonly ImportRoot[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of words.split('\n')) {
    const place = /^([^:]+\.proto):/.exec(line)?.[1];
    if (place === undefined || line.includes(': warning: ')) continue;
    const names = roots.map(({ folder, prefix }) =>
      place.startsWith(`${folder}/`) ? prefix + place.slice(folder.length + 1) : place,
    );
    const file = names.find((name) => files.has(name) && !found.has(name));
    if (file !== undefined) found.set(file, line.slice(place.length));
  }
  return found;
}
