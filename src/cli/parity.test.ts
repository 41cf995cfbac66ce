/** One analysis behind both doors: the same files through the worker and through the command line, nothing told. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type Client, connect } from '#worker/connect.ts';
import type { Api } from '#worker/protocol.ts';
import { EVERYTHING } from '#worker/requests.testing.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { MEASURE_OPTIONS, measure } from './analyze-command.ts';
import { parseOptions } from './arguments.ts';
import { Refusal } from './outcome.ts';

const ROOT = new URL('../../', import.meta.url);
const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}${name}`);

const PAYLOADS = [
  ...filesIn('fixtures/input/', /(?<!\.fds)\.binpb$|\.typed\.bin$/),
  ...filesIn('public/samples/', /\.binpb$/),
];
const CAPTURES = [...filesIn('fixtures/capture/', /\.(pcap|pcapng|har)$/), ...filesIn('public/samples/', /\.pcap$/)];

const bundled = readdirSync(new URL('schemas/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .map((path) => ({ path, content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8') }));

const channels: MessageChannel[] = [];
afterAll(() => {
  for (const { port1, port2 } of channels) {
    port1.close();
    port2.close();
  }
});

async function ask<M extends keyof Api>(client: Client, method: M, params: Parameters<Api[M]>[0]) {
  const outcome = await client.call(method, params);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

async function throughWorker(file: string, nativeProfile: string) {
  const channel = new MessageChannel();
  channels.push(channel);
  serve(channel.port2, createSession());
  const client = connect(channel.port1);
  await ask(client, 'setBundled', { files: bundled });
  const data = new Blob([readFileSync(new URL(file, ROOT))]);
  const summary = await ask(client, 'openInput', { name: file, data });
  const plan = summary.kind === 'payloads' ? await ask(client, 'planReading', EVERYTHING) : null;
  const request = { ...EVERYTHING, type: plan?.type ?? null, nativeProfile, overrides: {} };
  const { profiles, diagnostics } = await ask(client, 'analyze', request);
  return { plan, profiles, diagnostics };
}

async function throughCommand(file: string) {
  const options = parseOptions([new URL(file, ROOT).pathname], MEASURE_OPTIONS);
  const measured = await measure(options).catch((error: unknown) => {
    // Of a capture without a known type the command line asks which messages are meant.
    if (error instanceof Refusal) return { plan: null, profiles: [], reports: [] };
    throw error;
  });
  const { plan, profiles, reports } = measured;
  return { plan, profiles, diagnostics: reports.flatMap(({ diagnostics }) => diagnostics) };
}

describe('payloads', () => {
  test.each(PAYLOADS)('%s', async (file) => {
    expect(await throughWorker(file, 'opensearch')).toEqual(await throughCommand(file));
  });
});

describe('captures: what is read by a type or a layout', () => {
  test.each(CAPTURES)('%s', async (file) => {
    const worker = await throughWorker(file, 'laid-out');
    const command = await throughCommand(file);
    const typed = ({ profiles }: Pick<typeof worker, 'profiles'>) => profiles.filter(({ type }) => type !== '');
    expect(typed(worker)).toEqual(typed(command));
  });
});
