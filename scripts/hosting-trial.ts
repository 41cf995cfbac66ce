/**
 * dist/ on the real servers that are installed here, each with the configuration that hosts.ts prints, at the root and
 * in a folder: every page must come with the headers of csp.ts, an error too.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Policies, PolicyHeaders } from '../src/server/csp.ts';
import { HOSTS, type HostName } from './hosts.ts';

interface Trial {
  /** Everything that the server writes lies below. */
  readonly folder: string;
  readonly port: number;
  readonly site: string;
  readonly headers: string;
}

interface Server {
  readonly command: string;
  readonly arguments: (folder: string) => readonly string[];
  /** The main configuration file around the headers. */
  readonly file: string;
  readonly configure: (trial: Trial) => string;
}

const SERVERS: Readonly<Partial<Record<HostName, Server>>> = {
  nginx: {
    command: 'nginx',
    arguments: (folder) => ['-p', folder, '-e', 'error.log', '-c', 'server.conf', '-g', 'daemon off;'],
    file: 'server.conf',
    configure: ({ folder, port, site, headers }) =>
      `${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${folder}/pid;\nevents {}\nhttp {\n  access_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}  types { text/html html; text/javascript js; text/css css; }\n  server {\n    listen 127.0.0.1:${port};\n    root ${site};\n${headers}  }\n}\n`,
  },
  apache: {
    command: 'apache2',
    arguments: (folder) => ['-X', '-d', folder, '-f', 'server.conf'],
    file: 'server.conf',
    configure: ({ folder, port, site }) => {
      const modules = process.env['APACHE_MODULES'] ?? '/usr/lib/apache2/modules';
      const load = ['mpm_event', 'authz_core', 'dir', 'headers', 'mime']
        .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so\n`)
        .join('');
      return `${load}ServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${folder}/pid\nErrorLog ${folder}/error.log\nTypesConfig /dev/null\nAddType text/html .html\nAddType text/javascript .js\nAddType text/css .css\nDocumentRoot ${site}\nDirectoryIndex index.html\n<Directory ${site}>\n  AllowOverride All\n  Require all granted\n</Directory>\n`;
    },
  },
  caddy: {
    command: 'caddy',
    arguments: () => ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    file: 'Caddyfile',
    configure: ({ port, site, headers }) =>
      `{\n  admin off\n  auto_https off\n  storage file_system ./storage\n}\nhttp://127.0.0.1:${port} {\n  root * ${site}\n${headers}  file_server\n}\n`,
  },
};

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** false: something was not as it should be. A server that is not installed is named, and is not a fault. */
export async function tryHosts(policies: Policies): Promise<boolean> {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('There is no build in dist/. Run: npm run build');
  let isSound = true;
  for (const [name, server] of Object.entries(SERVERS) as [HostName, Server][]) {
    if (spawnSync(server.command, ['-v']).error !== undefined) {
      console.log(`${name}: not installed`);
      continue;
    }
    for (const at of ['/', '/tools/wirecost/']) {
      const faults = await tryOne(name, server, at, policies);
      console.log(`${name}, ${at}: ${faults.length === 0 ? 'every header as it should be' : faults.join('; ')}`);
      isSound &&= faults.length === 0;
    }
  }
  return isSound;
}

async function tryOne(name: HostName, server: Server, at: string, policies: Policies): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-host-'));
  const site = join(folder, 'site');
  const app = join(site, at);
  mkdirSync(app, { recursive: true });
  cpSync(dist, app, { recursive: true });
  const headers = HOSTS[name].print(policies, at);
  if (name === 'apache') writeFileSync(join(app, '.htaccess'), headers);
  const port = await freePort();
  writeFileSync(join(folder, server.file), server.configure({ folder, port, site, headers }));
  const child = spawn(server.command, server.arguments(folder), {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  try {
    const base = `http://127.0.0.1:${port}${at}`;
    if (!(await answers(base, child))) return [`it does not start: ${Buffer.concat(said).toString().slice(-300)}`];
    return [
      ...(await compare(base, policies.app)),
      ...(await compare(`${base}index.html`, policies.app)),
      ...(await compare(`${base}oembed.json`, policies.app)),
      ...(await compare(`${base}no-such-file`, policies.app)),
      ...(await compare(`${base}embed.html`, policies.embed)),
    ];
  } finally {
    child.kill('SIGTERM');
    await new Promise((ended) => (child.exitCode === null ? child.once('exit', ended) : ended(null)));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(address: string, headers: PolicyHeaders): Promise<readonly string[]> {
  const response = await fetch(address);
  await response.arrayBuffer();
  return Object.entries(headers)
    .filter(([name, value]) => response.headers.get(name) !== value)
    .map(([name]) => `${new URL(address).pathname}: ${name} is ${response.headers.get(name) ?? 'not sent'}`);
}

async function answers(address: string, child: ChildProcess): Promise<boolean> {
  for (let tried = 0; tried < 100 && child.exitCode === null; tried++) {
    const isThere = await fetch(address).then(
      (response) => response.ok,
      () => false,
    );
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
