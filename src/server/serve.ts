/**
 * A folder of files → an address on the loopback interface. Every response carries the security headers, worker scripts
 * and errors too. `npm start` and the end-to-end tests use it; any static host works, too.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { basename, extname, join, resolve, sep } from 'node:path';
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

const LOOPBACK = '127.0.0.1';
const TRIES = 20;

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
  /** Files outside the folder, by the path at which they are served: `/opened/a.pcap`. */
  readonly beside: ReadonlyMap<string, string>;
}

/** Decoded; undefined for one that is not a path. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://host').pathname);
  } catch {
    return undefined;
  }
}

async function answer(
  { folder, policies, beside }: Site,
  method: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  const fail = (status: number, message: string) =>
    response.writeHead(status, { ...policies.app, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);

  if (method !== 'GET' && method !== 'HEAD') return void fail(405, 'Only GET and HEAD');
  const file = beside.get(pathOf(url) ?? '') ?? fileFor(folder, url);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || !found?.isFile()) return void fail(404, 'Not found');

  response.writeHead(200, {
    ...(basename(file) === 'embed.html' ? policies.embed : policies.app),
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
  });
  if (method === 'HEAD') return void response.end();
  createReadStream(file)
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

/** Serves `folder` on `port`, or on the next free one; 0 lets the system choose. Rejects when none of 20 is free. */
export async function serve(
  folder: string,
  port: number,
  { policies = POLICIES, beside = new Map() }: Partial<Pick<Site, 'policies' | 'beside'>> = {},
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer({ folder, policies, beside }, request.method ?? 'GET', request.url ?? '/', response).catch(() =>
      response.destroy(),
    );
  });
  for (let tried = 0; tried < TRIES; tried++) {
    const error = await listen(server, port === 0 ? 0 : port + tried);
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
    if (error.code !== 'EADDRINUSE') throw error;
  }
  throw new Error(`Ports ${port} to ${port + TRIES - 1} are all in use. Set PORT to a free one.`);
}
