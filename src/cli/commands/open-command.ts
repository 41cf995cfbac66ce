/** `open`: the app on this machine, with files opened in it, or with the explorer of a schema. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isDescriptorSet } from '#engine/capture/schema-signs.ts';
import { isSchemaName } from '#engine/model/schema-names.ts';
import { APP_VERSION } from '#permalink/app-version.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import { checkShared, type Shared } from '#permalink/shared.ts';
import { notOpenable } from '#wording/share-notes.ts';
import { openedPaths, PortRefused, serve } from '../../server/serve.ts';
import { readWholeFile, refusing, STANDARD_INPUT, withSource } from '../inputs/file-source.ts';
import { readSchemaFiles } from '../inputs/schema-files.ts';
import { today } from '../measure/subject.ts';
import { type Options, parseOptions } from '../options/arguments.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { APP } from '../shipped-files.ts';

export const OPEN_USAGE = `usage: wirecost open [FILE...] [options]

Serves the app on this machine's loopback address, prints an address for each FILE, and opens the first in a browser.
The files go nowhere else. FILE may be - for the standard input. A FILE that is a .proto file, a folder of them or a
descriptor set is a schema, as those of --schema: the other files are read with it, or, if there is no other file, it
opens in the explorer. Stop with Ctrl-C.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; -: the standard input; may be repeated
      --port N          the port; 4173 or the next free one, if not given
      --print           only prints the addresses
`;

const PORT = 4173;

export async function openCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['schema', 'port', 'print']);
  const held = new HeldInputs();
  try {
    return await serveInputs(options, held);
  } finally {
    await held.remove();
  }
}

async function serveInputs(options: Options, held: HeldInputs): Promise<Outcome> {
  const schemaPaths = [...options.schema];
  const files: OpenedFile[] = [];
  for (const input of options.inputs) {
    if (await holdsSchema(input)) schemaPaths.push(input);
    else files.push(await held.fileOf(input));
  }
  const schema = (await readSchemaFiles(schemaPaths)).map(({ path, content }) => ({
    path,
    content: typeof content === 'string' ? content : content.slice(),
  }));
  if (schemaPaths.length > 0 && schema.length === 0)
    throw new Refusal(
      `No .proto file and no descriptor set in ${schemaPaths.join(', ')}; messages are opened as files`,
    );
  const paths = openedPaths(files.map(({ name }) => name));
  const beside = new Map(files.map(({ path }, index) => [`/${paths[index]}`, path]));
  const fragments = files.map(({ name, size }, index) => {
    const address = paths[index]!.split('/').map(encodeURIComponent).join('/');
    return fragmentOf(name, size, { kind: 'address', address, textEncoding: null, framing: null, schema });
  });
  if (files.length === 0 && schema.length > 0) {
    const payload = new Uint8Array(0);
    fragments.push(
      `/schema?with=${fragmentOf('Schema', 0, { kind: 'inline', payload, textEncoding: null, framing: null, schema })}`,
    );
  }
  if (!(await isFile(join(APP, 'index.html')))) throw new Refusal('The app is not built: npm run build makes it');
  const server = await serve(APP, options.port ?? PORT, { beside }).catch((error: unknown) => {
    throw error instanceof PortRefused ? new Refusal(`${error.message}; --port chooses another`) : error;
  });
  const addresses = fragments.length === 0 ? [server.address] : fragments.map((link) => `${server.address}#${link}`);
  // The only command that prints before it ends.
  process.stdout.write(`${addresses.join('\n')}\n`);
  if (!options.print) openInBrowser(addresses[0]!);
  await new Promise((stopped) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopped);
  });
  await server.close();
  return success('');
}

/** A link that the app opens. @throws Refusal */
function fragmentOf(name: string, size: number, data: Shared['data']): string {
  const shared: Shared = {
    source: { name, messages: 0, size, coverage: null, losses: [] },
    made: { date: today(), by: APP_VERSION },
    view: plainView(null, null),
    data,
  };
  const checked = checkShared(shared);
  if (!checked.ok) throw new Refusal(notOpenable(checked.detail));
  const fragment = encodeFragment(shared);
  if (fragment === null) throw new Refusal('The schema is too large for a link: load it in the app');
  return fragment;
}

/** More than a descriptor set needs to show that it is one. */
const HEAD = 256;

/** A folder counts as one: `open` takes no folders of messages. */
async function holdsSchema(input: string): Promise<boolean> {
  if (input === STANDARD_INPUT) return false;
  const facts = await refusing(input, () => stat(input));
  if (facts.isDirectory() || input.endsWith('.proto')) return true;
  if (!facts.isFile() || !isSchemaName(input)) return false;
  return isDescriptorSet(await withSource(input, (source) => source.read(0, HEAD)));
}

interface OpenedFile {
  readonly name: string;
  readonly size: number;
  readonly path: string;
}

/** The standard input and pipes, as files of the command's own that the server can send more than once. */
class HeldInputs {
  #folder: string | undefined;
  #count = 0;

  async fileOf(input: string): Promise<OpenedFile> {
    const facts = input === STANDARD_INPUT ? undefined : await refusing(input, () => stat(input));
    if (facts?.isFile()) return { name: basename(input), size: facts.size, path: resolve(input) };
    const bytes = await refusing(input, () => readWholeFile(input));
    this.#folder ??= await mkdtemp(join(tmpdir(), 'wirecost-'));
    const name = input === STANDARD_INPUT ? 'standard input' : basename(input);
    const path = join(this.#folder, `${this.#count++}`);
    await writeFile(path, bytes);
    return { name, size: bytes.length, path };
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true });
  }
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() ?? false;

/** Without a browser, the user can open the printed address. */
function openInBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  spawn(command!, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
