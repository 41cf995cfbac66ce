/**
 * A folder of files → an address on the loopback interface. Every response carries the security headers, worker scripts
 * and errors too. `npm start` and the end-to-end tests use it; any static host works, too.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { POLICIES, type Policies } from './csp.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.proto': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Extensions of files that compression makes smaller. */
const TEXTS = new Set([
  '.html',
  '.js',
  '.css',
  '.json',
  '.webmanifest',
  '.map',
  '.proto',
  '.txt',
  '.svg',
  '.ttf',
  '.wasm',
]);
/** Larger files are sent as they are: compressing them takes longer than the loopback interface. */
const MAX_COMPRESSED = 16 << 20;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Content encodings, the preferred one first. */
const ENCODINGS: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Compressed files, by encoding, path and time of change. Each is compressed once. */
const compressed = new Map<string, Promise<Uint8Array>>();

const LOOPBACK = '127.0.0.1';
/** A page of another site whose name its owner lets lead to this machine has that name here, and is refused. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;
const TRIES = 20;
const LAST_PORT = 65_535;

export interface RunningServer {
  /** `http://127.0.0.1:4173/`. */
  readonly address: string;
  close(): Promise<void>;
}

/** The file a request's path names inside `folder`; undefined if it is outside the folder or invalid. */
export function fileFor(folder: string, url: string): string | undefined {
  const path = pathOf(url);
  if (path === undefined || path.includes('\0')) return undefined;
  const file = resolve(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(resolve(folder) + sep) ? file : undefined;
}

interface Site {
  readonly folder: string;
  readonly policies: Policies;
  /** Files outside the folder, by the path at which they are served. */
  readonly beside: ReadonlyMap<string, string>;
}

/** Paths for files beside the app, which no page and no link can guess: `opened/mB7w…/0/a.pcap`. */
export function openedPaths(files: readonly string[]): readonly string[] {
  const unguessable = randomBytes(16).toString('base64url');
  return files.map((file, index) => `opened/${unguessable}/${index}/${basename(file)}`);
}

/** No port could be had. The message has no full stop: the caller adds how another port is chosen. */
export class PortRefused extends Error {
  constructor(code: string | undefined, first: number, last: number) {
    const port = first === last ? `Port ${first}` : `Ports ${first} to ${last}`;
    const inUse = first === last ? 'is in use' : 'are all in use';
    const fault = code === 'EACCES' ? 'needs the permissions of an administrator' : `cannot be opened (${code})`;
    super(`${port} ${code === 'EADDRINUSE' ? inUse : fault}`);
  }
}

/** Decoded; undefined for one that is not a path. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://host').pathname);
  } catch {
    return undefined;
  }
}

/** The file in the first encoding that the client accepts; null: it is sent as it is. */
async function compress(
  file: string,
  { size, mtimeMs }: Stats,
  accepted: string,
): Promise<{ readonly encoding: string; readonly bytes: Uint8Array } | null> {
  if (!TEXTS.has(extname(file)) || size > MAX_COMPRESSED) return null;
  const names = accepted.split(',').map((part) => part.trim().split(';')[0]);
  const found = Object.entries(ENCODINGS).find(([name]) => names.includes(name));
  if (found === undefined) return null;
  const [encoding, pack] = found;
  const key = `${encoding} ${file} ${size} ${mtimeMs}`;
  const bytes = compressed.get(key) ?? readFile(file).then(pack);
  compressed.set(key, bytes);
  bytes.catch(() => compressed.delete(key));
  return { encoding, bytes: await bytes };
}

async function answer(
  { folder, policies, beside }: Site,
  { method = 'GET', url = '', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fail = (status: number, message: string) =>
    response.writeHead(status, { ...policies.app, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);

  if (!OWN_HOST.test(headers.host ?? '')) return void fail(421, `Only as ${LOOPBACK}, localhost or [::1]`);
  if (method !== 'GET' && method !== 'HEAD') return void fail(405, 'Only GET and HEAD');
  const file = beside.get(pathOf(url) ?? '') ?? fileFor(folder, url);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || !found?.isFile()) return void fail(404, 'Not found');

  const packed = await compress(file, found, String(headers['accept-encoding'] ?? ''));
  response.writeHead(200, {
    ...(basename(file) === 'embed.html' ? policies.embed : policies.app),
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': packed?.bytes.length ?? found.size,
    ...(packed === null ? {} : { 'Content-Encoding': packed.encoding }),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'no-cache',
  });
  if (method === 'HEAD' || packed !== null || found.size === 0) {
    return void response.end(method === 'HEAD' ? undefined : packed?.bytes);
  }
  // A file may grow while it is sent.
  createReadStream(file, { end: found.size - 1 })
    .on('error', () => response.destroy())
    .pipe(response);
}

const listen = (server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((done) => {
    server.once('error', done);
    server.listen(port, LOOPBACK, () => {
      server.off('error', done);
      done(undefined);
    });
  });

/** Serves `folder` on `port`, or on the next free one of 20; 0 lets the system choose. @throws PortRefused */
export async function serve(
  folder: string,
  port: number,
  { policies = POLICIES, beside = new Map() }: Partial<Pick<Site, 'policies' | 'beside'>> = {},
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer({ folder, policies, beside }, request, response).catch(() => response.destroy());
  });
  const last = port === 0 ? 0 : Math.min(port + TRIES - 1, LAST_PORT);
  for (let tried = port; tried <= last; tried++) {
    const error = await listen(server, tried);
    if (error === undefined) {
      const bound = server.address() as { readonly port: number };
      return {
        address: `http://${LOOPBACK}:${bound.port}/`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      };
    }
    if (error.code !== 'EADDRINUSE') throw new PortRefused(error.code, tried, tried);
  }
  throw new PortRefused('EADDRINUSE', port, last);
}
