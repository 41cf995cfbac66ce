import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { APP_VERSION } from './app-version.ts';
import { upgrade, upgradesTo } from './upgrades.ts';

const UPGRADES = { 1: (shared: unknown) => `${shared} two`, 2: (shared: unknown) => `${shared} three` };

test('an old view passes the upgraders of all later versions', () => {
  const upgrade = upgradesTo(3, UPGRADES);
  expect([1, 2, 3].map((version) => upgrade('from', version))).toEqual(['from two three', 'from three', 'from']);
});

test('a version without an upgrader does not load', () => {
  expect(() => upgradesTo(4, UPGRADES)).toThrow('No upgrader from version 3');
});

test('figures name the version of the app', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(APP_VERSION).toBe(version);
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
