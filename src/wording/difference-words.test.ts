import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import { reasonsOf } from './difference-words.ts';

const FIXTURE = new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));

/** The hits, some of whose fields have no native side. */
function withoutNative(...paths: readonly string[]): string {
  const fields = hits.fields.map((field) => {
    const { protobuf } = field.ledgers;
    return paths.includes(field.path) ? { ...field, writer: null, ledgers: { protobuf: protobuf! } } : field;
  });
  return reasonsOf({ ...hits, fields }).replaceAll('\u00a0', ' ');
}

test('fields that only protobuf has are in the reasons, also if another cause is larger', () => {
  expect(withoutNative()).toBe('Negative numbers in ten bytes +180,000 (version +90,000, seq_no +90,000).');
  expect(withoutNative('max_score')).toMatch(/ 5 bytes are in fields that the native layout does not have\./);
  expect(withoutNative('hits.id', 'hits.source', 'hits.version')).toMatch(/^No place in the other encoding \+[\d,]+/);
  expect(withoutNative('hits.id', 'hits.source', 'hits.version')).not.toMatch(/are in fields/);
});

test('fields without a place are those of the encoding that is compared, which need not be native', () => {
  const other = { label: 'FlatBuffers', isCaptured: false, isAlone: false };
  const fields = hits.fields.map((field) =>
    field.path === 'max_score' ? { ...field, writer: null, ledgers: { protobuf: field.ledgers['protobuf']! } } : field,
  );
  const reasons = reasonsOf({ ...hits, other, fields }).replaceAll('\u00a0', ' ');
  expect(reasons).toMatch(/ 5 bytes are in fields that FlatBuffers does not have\./);
});

test('names of a captured text that the type does not have are in the reasons, also if another cause is larger', () => {
  const version = hits.fields.find(({ path }) => path === 'hits.version')!;
  const ledgers = { protobuf: {}, [hits.pair[1]!]: { key: 4, value: 3 } };
  const more = { ...version, path: 'more', name: 'more', declared: null, ledgers };
  const other = { label: 'JSON', isCaptured: true, isAlone: false };
  const reasons = reasonsOf({ ...hits, other, fields: [version, more] }).replaceAll('\u00a0', ' ');
  expect(reasons).toMatch(/ 7 bytes are in fields that the type does not have\./);
});
