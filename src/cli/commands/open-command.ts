/** `open`: the app on this machine, with files opened in it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { APP_VERSION } from '#permalink/app-version.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import { checkShared, type Shared } from '#permalink/shared.ts';
import { notOpenable } from '#wording/share-notes.ts';
import { openedPaths, PortRefused, serve } from '../../server/serve.ts';
import { readWholeFile, refusing, STANDARD_INPUT } from '../inputs/file-source.ts';
import { readSchemaFiles } from '../inputs/schema-files.ts';
import { today } from '../measure/subject.ts';
import { BadArguments, type Options, parseOptions } from '../options/arguments.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { APP } from '../shipped-files.ts';

export const OPEN_USAGE = `usage: wirecost open [FILE...] [options]

Serves the app on this machine's loopback address, prints an address for each FILE, and opens the first in a browser.
The files go nowhere else. FILE may be - for the standard input. Stop with Ctrl-C.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set, for each FILE; -: the standard input;
                        may be repeated
      --port N          the port; 4173 or the next free one, if not given
      --print           only prints the addresses
`;

const PORT = 4173;

export async function openCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['schema', 'port', 'print']);
  if (options.schema.length > 0 && options.inputs.length === 0)
    throw new BadArguments('--schema takes a FILE that it describes');
  const held = new HeldInputs();
  try {
    return await serveInputs(options, held);
  } finally {
    await held.remove();
  }
}

async function serveInputs(options: Options, held: HeldInputs): Promise<Outcome> {
  const schema = (await readSchemaFiles(options.schema)).map(({ path, content }) => ({
    path,
    content: typeof content === 'string' ? content : content.slice(),
  }));
  const files: OpenedFile[] = [];
  for (const input of options.inputs) files.push(await held.fileOf(input));
  const paths = openedPaths(files.map(({ name }) => name));
  const beside = new Map(files.map(({ path }, index) => [`/${paths[index]}`, path]));
  const fragments: string[] = [];
  for (const [index, { name, size }] of files.entries()) {
    const address = paths[index]!.split('/').map(encodeURIComponent).join('/');
    const shared: Shared = {
      source: { name, messages: 0, size, coverage: null, losses: [] },
      made: { date: today(), by: APP_VERSION },
      view: plainView(null, null),
      data: { kind: 'address', address, textEncoding: null, framing: null, schema },
    };
    const checked = checkShared(shared);
    if (!checked.ok) throw new Refusal(notOpenable(checked.detail));
    const fragment = encodeFragment(shared);
    if (fragment === null) throw new Refusal('The schema is too large for a link: load it in the app');
    fragments.push(fragment);
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
    if (facts?.isDirectory()) throw new Refusal(`${input} is a folder`);
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
