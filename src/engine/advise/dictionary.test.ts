import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { loadCompressor } from '../compression/compressors.ts';
import type { Advice } from './advice.ts';
import { Advisor } from './advise.ts';
import { dictionaryBytes, dictionaryCompressor, withDictionary } from './dictionary.ts';
import { rankAdvice } from './rank-advice.ts';

const messages = Array.from({ length: 64 }, (_, at) => {
  const text = `checkout of order ${at * 7919} in eu-west-1 was delivered`;
  return new Uint8Array([0x0a, text.length, ...new TextEncoder().encode(text)]);
});

test('every second message trains, and the others are measured', async () => {
  const found = (await withDictionary(messages))!;
  expect(found).toMatchObject({ trainedOn: 32, messages: 32 });
  expect(found.bytes).toBe(messages.filter((_, at) => at % 2 === 1).reduce((sum, { length }) => sum + length, 0));
  expect(found.compressed).toBeLessThan(found.plain);
  expect(found.dictionary).toBeLessThanOrEqual(dictionaryBytes(messages)!);
});

test('few messages have no dictionary', async () => {
  expect(dictionaryBytes(messages.slice(0, 15))).toBeUndefined();
  expect(await withDictionary(messages.slice(0, 15))).toBeUndefined();
});

test('no message is measured by a dictionary that it helped to train', async () => {
  const repeated = Array.from({ length: 16 }, (_, at) => messages[at % 2]!);
  const [even, odd] = [messages[0]!, messages[1]!];
  const compressor = (await dictionaryCompressor('zstd', repeated, 1024))!;
  const other = (await dictionaryCompressor('zstd', [...repeated].reverse(), 1024))!;
  expect(await compressor.sizes!([even, odd])).toBe(await other.sizes!([odd, even]));
});

test('messages that compression makes larger: the advice is to leave it out, at the sizes that were measured', async () => {
  const { registry } = compileSchema([{ path: 'm.proto', content: 'message M { optional string text = 1; }' }]);
  const adviceFor = async (text: string) => {
    const bytes = Uint8Array.from([0x0a, text.length, ...Buffer.from(text)]);
    const load = async (id: 'zstd' | 'snappy' | 'gzip') => {
      const { compress } = await loadCompressor(id);
      return { id, size: async (plain: Uint8Array) => (await compress(plain)).length };
    };
    const zstd = await load('zstd');
    const subject = { registry, type: 'M', units: [{ delimiter: null, messages: [bytes] }] };
    const advisor = await Advisor.open({
      ...subject,
      compressors: [zstd],
      rankedBy: 'zstd',
      others: { snappy: () => load('snappy'), gzip: () => load('gzip') },
      clock: () => performance.now(),
    });
    const found: Advice[] = [];
    for await (const { advice } of advisor.proposals()) if (advice?.isSettled) found.push(advice);
    const tos = found.flatMap(({ changes: [one] }) => (one?.change === 'compressor' ? [one.to] : []));
    const change = { change: 'compressor', from: 'zstd', to: 'none' };
    const row = found.find(({ changes }) => JSON.stringify(changes) === JSON.stringify([change]));
    return { row, tos, plain: bytes.length, size: await zstd.size(bytes) };
  };
  const { row, tos, plain, size } = await adviceFor('a few words');
  expect(size).toBeGreaterThan(plain);
  // snappy takes fewer bytes than zstd, and more than none.
  expect(tos).toEqual(['none']);
  expect(row).toMatchObject({
    title: 'Do not compress: zstd makes them larger',
    ...{
      after: { bytes: plain, compressed: { zstd: plain } },
      saved: { bytes: 0, compressed: { zstd: size - plain } },
    },
    ...{ noise: { zstd: 0 }, effort: 'writer only', isNoDifference: false },
  });
  expect(row).not.toHaveProperty('time');
  expect((await adviceFor('a few words '.repeat(9))).row).toBeUndefined();
});

test('a dictionary has its own row after the schema changes; other compressors are timed', async () => {
  const proto = 'syntax = "proto3"; message M { string text = 1; }';
  const { registry } = compileSchema([{ path: 'm.proto', content: proto }]);
  const load = async (id: 'zstd' | 'snappy') => {
    const { compress } = await loadCompressor(id);
    return { id, size: async (bytes: Uint8Array) => (await compress(bytes)).length };
  };
  const units = messages.map((one) => ({ delimiter: null, messages: [one] }));
  let now = 0;
  const advisor = await Advisor.open({
    registry,
    type: 'M',
    units,
    compressors: [await load('zstd')],
    rankedBy: 'zstd',
    others: { snappy: () => load('snappy') },
    clock: () => now++,
  });
  const found: Advice[] = [];
  for await (const { advice } of advisor.proposals()) if (advice?.isSettled) found.push(advice);
  const rows = rankAdvice(found, 'zstd');
  const row = rows.find(({ changes }) => changes[0]?.change === 'dictionary')!;
  expect(row.title).toMatch(/^Compress with zstd and a dictionary of \d,\d{3} bytes,/);
  expect(row).toMatchObject({ effort: 'new message version', compatibility: { binary: 'conditional' } });
  expect(row.saved.compressed['zstd']).toBeGreaterThan(1000);
  const snappy = await advisor.measure([{ change: 'compressor', from: 'zstd', to: 'snappy' }]);
  expect((await advisor.adviceOn('snappy', snappy)).time).toBe(1);
  const isOther = rows.map(({ changes }) => changes.some(({ change }) => /compressor|dictionary/.test(change)));
  expect(isOther.indexOf(true)).toBeGreaterThan(isOther.lastIndexOf(false));
});
