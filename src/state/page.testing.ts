/**
 * A page's state with the real worker code, over a channel: no open input, one sample, and one address that answers and
 * is not allowed yet. A test file opens a new page before each test, `beforeEach(openPage)`.
 */
import { startClient } from '#worker/client.testing.ts';
import type { Client } from '#worker/connect.ts';
import { type Actions, createActions } from './actions.ts';
import type { Outside } from './opening/remote-sources.ts';
import type { Shipped } from './opening/shipped.ts';
import { sample } from './sample.testing.ts';
import { type AppStore, createAppStore } from './store.ts';

export const SCHEMA = `syntax = "proto3";
package t;
message Item { string name = 1; int64 size = 2; }
message Other { bytes blob = 7; }
`;
/** Item { name: "foo" size: 150 }, Item { name: "hello" }, each after its length. */
export const BYTES = '08 0a 03 66 6f 6f 10 96 01 07 0a 05 68 65 6c 6c 6f';

export const unhex = (hex: string) => Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16));

/** Files that ship with the app: one imports the other. */
const SHIPPED: Readonly<Record<string, string>> = {
  'lib/outer.proto': 'syntax = "proto3";\npackage lib;\nimport "lib/inner.proto";\nmessage Outer { Inner inner = 1; }',
  'lib/inner.proto': 'syntax = "proto3";\npackage lib;\nmessage Inner { string name = 1; }',
};
const shipped: Shipped = {
  sampleBytes: async () => new Blob([unhex(BYTES)]),
  schemaFiles: async (paths) => paths.map((path) => ({ path, content: SHIPPED[path] ?? SCHEMA })),
  findCapture: () => undefined,
  findSample: (id) => (id === sample.id ? sample : undefined),
  findSchema: (imported) => (imported in SHIPPED ? imported : undefined),
  schemaPaths: [],
};

/** The origins that the user allows. */
export const allowed = new Set<string>();
export const outside: Outside = {
  originOf: (address) => new URL(address).origin,
  isReadable: (origin) => !origin.includes('closed'),
  isAllowed: (origin) => allowed.has(origin),
  allow: (origin) => void allowed.add(origin),
  fetch: async (address) => {
    if (!address.endsWith('x.bin')) throw new Error('it answers 404');
    return new Blob([unhex(BYTES)]);
  },
};

export let client: Client;
export let store: AppStore;
export let actions: Actions;
export const view = () => store.getState().view;
export const session = () => store.getState().session;

export function openPage(): void {
  store = createAppStore();
  allowed.clear();
  client = startClient();
  actions = createActions(store, client, shipped, outside);
}

export async function settled(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 5));
  while (session().job !== null);
}
