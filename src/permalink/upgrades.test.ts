import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { APP_VERSION } from './app-version.ts';
import { upgrade, VERSION } from './upgrades.ts';

test('figures name the version of the app', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(APP_VERSION).toBe(version);
});

test('views of version 2 compare with native, unless they could choose a question', () => {
  const view = { types: {}, scope: {}, shown: null, nativeProfile: 'avro' };
  expect(upgrade({ view }, 2)).toEqual({ view: { ...view, question: 'native' } });
  expect(upgrade({ view }, 1)).toMatchObject({ view: { question: 'native' } });
  for (const question of [null, 'composition']) {
    expect(upgrade({ view: { ...view, question } }, 2)).toEqual({ view: { ...view, question } });
  }
});

test('version 5’s encoding wire and key of the text encoding get their names of version 6', () => {
  const of = (row: string, input: object) => ({
    view: { selection: { path: 'a', row: { encoding: row, path: 'a', occurrence: 0 } } },
    data: { ...input, excerpt: { sides: [{ encoding: row }, { encoding: 'native' }] } },
  });
  expect(upgrade(of('wire', { dress: 'hex' }), 5)).toEqual(of('protobuf', { textEncoding: 'hex' }));
});

test('version 6’s native profile opensearch was also that of views in which none was chosen', () => {
  const of = (nativeProfile: string | null) => ({ view: { nativeProfile } });
  expect(upgrade(of('opensearch'), 6)).toEqual(of(null));
  expect(upgrade(of('laid-out'), 6)).toEqual(of('laid-out'));
});

test('version 7’s groups of responses held the error responses of their actions, too', () => {
  const of = (...groups: readonly string[]) => ({ view: { scope: { text: '', groups } } });
  const kept = ['opensearch request a/b', 'grpc response /s/M'];
  expect(upgrade(of('opensearch response a/b', ...kept), 7)).toEqual(
    of('opensearch response a/b', 'opensearch response a/b error', ...kept),
  );
});

test('version 7’s compressed sizes were those of the native form, also where another encoding was compared', () => {
  const of = (other: object | null, compressed: object | null) => ({ data: { profile: { other }, compressed } });
  expect(upgrade(of({ label: 'JSON' }, { codecs: [] }), 7)).toEqual(of({ label: 'JSON' }, null));
  expect(upgrade(of(null, { codecs: [] }), 7)).toEqual(of(null, { codecs: [] }));
});

test('version 8’s groups of requests to a URL were named with their queries', () => {
  const of = (shown: string | null, types: object, groups: readonly string[]) => ({
    view: { shown, types, scope: { text: '', groups } },
  });
  const [first, second] = ['http1 request POST /write?db=a protobuf', 'http1 request POST /write?db=b&x=%20 protobuf'];
  const named = 'http1 request POST /write protobuf';
  const other = 'grpc request /s/M';
  const types = { [first]: 'a.A', [other]: null };
  expect(upgrade(of(second, types, [first, second, other]), 8)).toEqual(
    of(named, { [named]: 'a.A', [other]: null }, [named, other]),
  );
  expect(upgrade(of(null, {}, []), 8)).toEqual(of(null, {}, []));
});

test('an object in place of a name passes every upgrader, and the checks refuse it', () => {
  const view = { shown: { toString: 1, valueOf: 1 }, types: {}, scope: { groups: [{ toString: 1, valueOf: 1 }, 7] } };
  for (let version = 1; version < VERSION; version++) expect(upgrade({ view }, version)).toMatchObject({ view });
});
