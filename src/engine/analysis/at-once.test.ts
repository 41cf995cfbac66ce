/** Calls that run at once, as in the worker of the page: what one of them borrows, another overwrites. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSchemaFiles } from '../../cli/inputs/schema-files.ts';
import { bytesSource } from '../bytes/source.ts';
import { endAt } from '../model/annotation.ts';
import { SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { loadAgainst } from './against.ts';
import { libraryOf } from './analyze.ts';
import { type InspectedMessage, inspectMessage } from './inspect-message.ts';
import { rowsAt } from './measure/captured-streams.ts';
import { openInput } from './read-input.ts';
import { storeMessages } from './store/message-store.ts';

const { registry } = compileSchema(await readSchemaFiles([new URL('../../../schemas', import.meta.url).pathname]));
const request = {
  ...{ library: libraryOf([{ registry }]), type: registry.messages.get('org.apache.kafka.RecordSet')! },
  ...{ types: {}, evidence: {}, guesses: new Map(), nativeProfile: SCHEMA_LAYOUT_PROFILE },
};

/** Records of Kafka, in all of its formats and compressions. */
const RECORDS = brotliDecompressSync(
  readFileSync(new URL('../../../fixtures/native/kafka-records.tsv.br', import.meta.url)),
)
  .toString()
  .trim()
  .split('\n')
  .map((line) => new Uint8Array(Buffer.from(line.split('\t')[2]!, 'hex')));

const stores = await Promise.all(
  RECORDS.map(async (bytes) => {
    const choice = { framing: 'native', textEncoding: 'binary', steps: [] };
    const opened = await openInput(bytesSource('x', bytes), choice);
    return (await storeMessages(opened, choice, { nextTurn: () => Promise.resolve() })).store;
  }),
);

async function oneByOne<T>(of: (at: number) => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (const at of RECORDS.keys()) all.push(await of(at));
  return all;
}

const atOnce = <T>(of: (at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(RECORDS.map((_, at) => of(at)));

const sizesOf = ({ protobuf, native, contents }: InspectedMessage): readonly number[] => [
  ...[protobuf.bytes.length, native?.bytes.length ?? 0],
  ...contents.flatMap(({ packedBytes, bytes }) => [packedBytes, bytes]),
];

test.each([['alone'], ['beside another encoding']])('native messages, inspected %s', async (how) => {
  const against = how === 'alone' ? undefined : await loadAgainst('msgpack-named');
  const inspect = async (at: number) => sizesOf(await inspectMessage(stores[at]!, 0, { ...request, against }));
  expect(await atOnce(inspect)).toEqual(await oneByOne(inspect));
});

test('rows of native messages', async () => {
  const lengthOf = async (at: number): Promise<number> => {
    const { table } = (await rowsAt(stores[at]!, request, 0, RECORDS[at]!))!;
    return endAt(table, 0);
  };
  expect(await atOnce(lengthOf)).toEqual(RECORDS.map(({ length }) => length));
});
