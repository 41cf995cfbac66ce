/**
 * Every recorded capture against independent truth: each message, byte for byte, and every byte explained. The readable
 * part of a damaged capture equals that of the sound one, and the damage is reported.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesSource } from '#engine/bytes/source.ts';
import { sumLayers } from '#engine/capture/containers/packets-layers.ts';
import type { CaptureFacts } from '#engine/frame/capture-facts.ts';
import type { Message } from '#engine/frame/message.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { type Check, Differences, type Finding, readBytes, readLines } from './check.ts';

/** A row of captures.json. */
interface Listed {
  readonly type: string;
  readonly protobuf_bytes: number;
  readonly sha256: string;
  readonly wire_body_bytes?: number;
}

/** A row of an OpenSearch manifest. `local`: it never reached the wire. */
interface Body {
  readonly capture: string;
  readonly kind: 'request' | 'response' | 'error';
  readonly action: string;
  readonly requestId: string;
  readonly local: boolean;
  readonly nativeBytes?: number;
  readonly sha256?: string;
}

type Found = Message & { readonly sha256: string };

/** The damaged captures were made from this one. */
const SOUND = '12-term-1000.pcapng';

export const captures: Check = {
  id: 'captures',
  title: 'messages of the captures in captures.json, and every byte of them explained',
  async *run(folder) {
    const listed = JSON.parse(await readFile(join(folder, 'captures.json'), 'utf8')) as Readonly<
      Record<string, { readonly messages: readonly Listed[] }>
    >;
    for (const [name, { messages: expected }] of Object.entries(listed)) {
      yield compareCapture(join(folder, name), name, expected, isListed, ({ type }) => type);
    }
  },
};

export const openSearchCaptures: Check = {
  id: 'captures-opensearch',
  title: 'bodies that OpenSearch sent, and every byte of their captures explained',
  async *run(folder) {
    for (const form of ['plain', 'deflate']) {
      const below = join(folder, 'opensearch', form);
      const bodies = await readLines<Body>(join(below, 'objects', 'manifest.jsonl'));
      for (const name of (await readdir(join(below, 'captures'))).sort()) {
        const expected = bodies.filter(({ capture, local }) => capture === name && !local);
        const path = join(below, 'captures', name);
        yield compareCapture(path, `${form}/${name}`, expected, isBody, (row) => `${row.action} ${row.requestId}`);
      }
    }
  },
};

export const damagedCaptures: Check = {
  id: 'captures-damaged',
  title: 'damaged captures: what is left is right, what is not is reported',
  run: compareDamaged,
};

async function* compareDamaged(folder: string): AsyncGenerator<Finding> {
  const sound = await readMessages(join(folder, 'opensearch', 'plain', 'captures', SOUND));
  const damaged = join(folder, 'opensearch', 'damaged');
  for (const name of (await readdir(damaged)).sort()) {
    const { facts, messages, size } = await readMessages(join(damaged, name));
    const differences = new Differences();
    differences.expect('sum of the layers', sumLayers(facts.layers), size);
    const strays = missing(
      messages,
      sound.messages,
      (row, message) => row.sha256 === message.sha256 && row.flow === message.flow && row.method === message.method,
    );
    differences.add(...strays.map(({ ordinal }) => `message ${ordinal} is not in the sound capture`));
    if (messages.length === 0) differences.add('no message');
    if (facts.diagnostics.length === 0) differences.add('no diagnostic');
    yield { name, differences: differences.list };
  }
}

const isListed = (row: Listed, message: Found): boolean =>
  row.sha256 === message.sha256 &&
  row.protobuf_bytes === message.bytes &&
  (row.wire_body_bytes === undefined || row.wire_body_bytes === message.capturedBytes) &&
  // gRPC names the method, not the type.
  (message.transport === 'grpc' || message.typeHint?.endsWith(row.type) === true);

const isBody = (row: Body, message: Found): boolean =>
  row.requestId === message.context?.['requestId'] &&
  row.action === message.method &&
  (row.kind === 'request') === (message.direction === 'request') &&
  (row.kind === 'error') === (message.status === 'error') &&
  (row.sha256 === undefined || (row.sha256 === message.sha256 && row.nativeBytes === message.bytes));

async function compareCapture<T>(
  path: string,
  name: string,
  expected: readonly T[],
  same: (row: T, message: Found) => boolean,
  nameOf: (row: T) => string,
): Promise<Finding> {
  const { facts, messages, size } = await readMessages(path);
  const differences = new Differences();
  differences.expect('sum of the layers', sumLayers(facts.layers), size);
  differences.add(...missing(expected, messages, same).map((row) => `missing ${nameOf(row)}`));
  differences.expect('bytes unattributed', facts.layers.unattributed, 0);
  differences.expect('bytes of incomplete messages', facts.layers.incomplete, 0);
  return { name, differences: differences.list };
}

async function readMessages(path: string): Promise<{ facts: CaptureFacts; messages: readonly Found[]; size: number }> {
  const bytes = await readBytes(path);
  const messages: Found[] = [];
  const facts = await readCapture(bytesSource(path, bytes), (message, payload) =>
    messages.push({ ...message, sha256: createHash('sha256').update(payload).digest('hex') }),
  );
  return { facts, messages, size: bytes.length };
}

/** Takes each expected message out of the found ones, once. @returns those that are not there */
function missing<T>(
  expected: readonly T[],
  found: readonly Found[],
  same: (row: T, message: Found) => boolean,
): readonly T[] {
  const left = [...found];
  return expected.filter((row) => {
    const index = left.findIndex((message) => same(row, message));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
