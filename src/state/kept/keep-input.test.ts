/** Inputs that the browser keeps: their bytes, and what becomes of them when they are forgotten. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '#worker/connect.ts';
import { serve } from '#worker/serve.ts';
import { createSession } from '#worker/session.ts';
import { type Actions, createActions } from '../actions.ts';
import type { Outside } from '../opening/remote-sources.ts';
import type { Shipped } from '../opening/shipped.ts';
import { type AppStore, createAppStore } from '../store.ts';
import { keepInput } from './keep-input.ts';
import type { KeptInput, KeptInputs } from './kept-inputs.ts';

const shipped: Shipped = {
  sampleBytes: async () => new Blob(),
  schemaFiles: async () => [],
  findCapture: () => undefined,
  findSample: () => undefined,
  findSchema: () => undefined,
  schemaPaths: [],
};

let channel: MessageChannel;
let store: AppStore;
let actions: Actions;
let memory: Map<string, KeptInput>;
/** Runs before an input is written. */
let writing: () => Promise<void>;
const session = () => store.getState().session;

const keptInputs: KeptInputs = {
  list: async () => [...memory.values()],
  get: async (id) => memory.get(id) ?? null,
  put: async (input) => {
    await writing();
    memory.set(input.id, input);
    return 'kept';
  },
  forget: async (id) => {
    if (id === null) memory.clear();
    else memory.delete(id);
  },
};

beforeEach(() => {
  channel = new MessageChannel();
  serve(channel.port2, createSession());
  store = createAppStore();
  memory = new Map();
  writing = async () => {};
  actions = createActions(store, connect(channel.port1), shipped, {} as Outside, undefined, keptInputs);
  keepInput(store, keptInputs);
});
afterEach(() => {
  channel.port1.close();
  channel.port2.close();
});

const paused = () => new Promise((resolve) => setTimeout(resolve, 400));

const pcapng = new Uint8Array(
  readFileSync(new URL('../../../fixtures/tls/editcap-tls13-chacha20.pcapng', import.meta.url)),
);

const tls = (name: string) => new Uint8Array(readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url)));
const withKeyLog = { 'a.pcap': tls('node-tls13-chacha20.pcap'), 'keys.txt': tls('node-tls13-chacha20.keys') };

/** An archive of one file. */
function tarOf(path: string, content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(1024 + ((512 - (content.length % 512)) % 512))]);
}

test.each([
  ['as it is', 'a.pcapng', pcapng, 'kept'],
  ['gzipped', 'a.pcapng.gz', gzipSync(pcapng), 'secret'],
  ['in a zip', 'a.zip', zipSync({ 'a.pcapng': pcapng }, { level: 0 }), 'secret'],
  ['in a tar', 'a.tar', tarOf('a.pcapng', pcapng), 'secret'],
  ['in Brotli', 'a.br', brotliCompressSync(pcapng), 'secret'],
  ['in base64', 'a.b64', Buffer.from(Buffer.from(pcapng).toString('base64')), 'secret'],
  ['with its key log in a zip', 'a.zip', zipSync(withKeyLog, { level: 0 }), 'secret'],
  ['in hex', 'a.hex', Buffer.from(Buffer.from(pcapng).toString('hex')), 'secret'],
])('of a pcapng %s, no secret is kept', async (_, name, bytes, kept) => {
  await actions.openFiles([new File([bytes as Uint8Array<ArrayBuffer>], name)]);
  await paused();
  const rows = [...memory.values()];
  expect(session().inputSummary?.kind).toBe('capture');
  expect(session().kept).toBe(kept);
  expect(rows).toHaveLength(kept === 'kept' ? 1 : 0);
  for (const { data } of rows) expect(await data.text()).not.toContain('_TRAFFIC_SECRET');
  // Read in another way, it is still the same file.
  await actions.overruleReading({ steps: ['none'] });
  await paused();
  expect(memory.size).toBe(rows.length);
  for (const { data } of memory.values()) expect(await data.text()).not.toContain('_TRAFFIC_SECRET');
});

test('an input that is forgotten while it is written is not kept', async () => {
  let end = (): void => {};
  const begun = new Promise<void>((resolve) => {
    writing = () => {
      resolve();
      return new Promise((resume) => {
        end = resume;
      });
    };
  });
  await actions.openText('0a 03 66 6f 6f');
  await begun;
  await actions.forgetKept(null);
  end();
  await paused();
  expect(memory.size).toBe(0);
  expect(session().kept).toBe('forgotten');
});

test('a capture that may hold secrets and whose reading is cancelled says that it is not kept, until it is read', async () => {
  const end = store.subscribe(({ session: { job } }) => {
    if (job?.label !== 'Reading the input') return;
    end();
    actions.cancel();
  });
  await actions.openFiles([new File([pcapng], 'a.pcapng')]);
  await paused();
  expect(session().inputSummary?.complete).not.toBe(true);
  expect(session().kept).toBe('unread');
  expect(memory.size).toBe(0);
  await actions.readAgain();
  await paused();
  expect(session().kept).toBe('kept');
});
