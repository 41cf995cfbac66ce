import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileFor, openedPaths, PortRefused, type RunningServer, serve } from './serve.ts';

describe('the file a path names', () => {
  test.each([
    { path: '/', file: '/site/index.html' },
    { path: '/assets/a.js?v=1', file: '/site/assets/a.js' },
    { path: '/a%20b.bin', file: '/site/a b.bin' },
    { path: '/../secret', file: '/site/secret' },
    { path: '/%2e%2e/secret', file: '/site/secret' },
    { path: '/..%2fsecret', file: undefined },
    { path: '/..%2fsite2/x', file: undefined },
    { path: '/%00', file: undefined },
    { path: '/%zz', file: undefined },
  ])('$path', ({ path, file }) => expect(fileFor('/site', path)).toBe(file));
});

describe('a served folder', () => {
  let folder: string;
  let server: RunningServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wirecost-serve-'));
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'worker.js'), '');
    server = await serve(folder, 0);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    { path: '', status: 200, type: 'text/html; charset=utf-8' },
    { path: 'worker.js', status: 200, type: 'text/javascript; charset=utf-8' },
    { path: 'none', status: 404, type: 'text/plain; charset=utf-8' },
  ])('/$path carries the policy', async ({ path, status, type }) => {
    const response = await fetch(server.address + path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
  });

  test.each([
    { accepted: 'gzip, deflate, br', encoding: 'br' },
    { accepted: 'gzip;q=1.0', encoding: 'gzip' },
    { accepted: 'identity', encoding: null },
  ])('text comes in the encoding that is accepted: $accepted', async ({ accepted, encoding }) => {
    const response = await fetch(server.address, { headers: { 'Accept-Encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toBe('<!doctype html>');
  });

  test('only GET and HEAD are allowed', async () => {
    expect((await fetch(server.address, { method: 'POST' })).status).toBe(405);
  });

  test('a port in use gives the next free one', async () => {
    const taken = Number(new URL(server.address).port);
    const second = await serve(folder, taken);
    expect(Number(new URL(second.address).port)).toBeGreaterThan(taken);
    await second.close();
  });

  test('no port is left behind the last one', async () => {
    const first = await serve(folder, 65_535).catch(() => null);
    await expect(serve(folder, 65_535)).rejects.toThrow(new PortRefused('EADDRINUSE', 65_535, 65_535));
    await first?.close();
  });

  test.each([
    ['one in use', ['EADDRINUSE', 65_535, 65_535], 'Port 65535 is in use'],
    ['several in use', ['EADDRINUSE', 4173, 4192], 'Ports 4173 to 4192 are all in use'],
    ['one of the system', ['EACCES', 80, 80], 'Port 80 needs the permissions of an administrator'],
    ['another error', ['EADDRNOTAVAIL', 80, 80], 'Port 80 cannot be opened (EADDRNOTAVAIL)'],
  ] as const)('ports that cannot be had: %s', (_, [code, first, last], words) => {
    expect(new PortRefused(code, first, last).message).toBe(words);
  });

  test.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['LOCALHOST', 200],
    ['[::1]', 200],
    ['evil.example', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['x@localhost', 421],
  ])('asked as %s: %i', async (name, status) => {
    const headers = { Host: `${name}:${new URL(server.address).port}` };
    expect(await new Promise((done) => get(server.address, { headers }, ({ statusCode }) => done(statusCode)))).toBe(
      status,
    );
  });

  test('a file beside the folder has another path each time', async () => {
    const file = join(folder, 'a b.bin');
    await writeFile(file, 'secret');
    const [[path], [other]] = [openedPaths([file]), openedPaths([file])];
    expect(path).toMatch(/^opened\/[\w-]{22}\/0\/a b\.bin$/);
    expect(other).not.toBe(path);
    const second = await serve(join(folder, 'empty'), 0, { beside: new Map([[`/${path}`, file]]) });
    expect(await (await fetch(`${second.address}${path}`)).text()).toBe('secret');
    expect((await fetch(`${second.address}${other}`)).status).toBe(404);
    await second.close();
  });

  test('a file that grows while it is sent is sent up to its length', async () => {
    const file = join(folder, 'growing.bin');
    await writeFile(file, new Uint8Array(8 << 20));
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
    socket.write('GET /growing.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const parts: Buffer[] = [];
    for await (const part of socket) if (parts.push(part) === 1) await appendFile(file, new Uint8Array(1 << 20));
    const sent = Buffer.concat(parts);
    const body = sent.length - sent.indexOf('\r\n\r\n') - 4;
    expect(body).toBe(8 << 20);
  });

  test('only the loopback interface listens', async () => {
    const socket = connect(Number(new URL(server.address).port), '127.0.0.2');
    const refused = await new Promise((done) => socket.on('error', () => done(true)).on('connect', () => done(false)));
    socket.destroy();
    expect(refused).toBe(true);
  });
});
