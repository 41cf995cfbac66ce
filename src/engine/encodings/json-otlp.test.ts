/**
 * OTLP/JSON that go.opentelemetry.io/collector/pdata 1.70.0 has read: `x.json` gave it the message of `x.binpb`, with
 * every kind of value, ids, enums, the greatest integers and exponents. Profiles: both files are written by its pprofile
 * 0.165.0, with the samples of a heap profile of Go.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { encode } from './encoding-row.ts';
import { encodingById, encodingSubject } from './encodings.ts';
import { readJson } from './read-json/read-json.ts';

const ROOT = new URL('../../../', import.meta.url);
const fileOf = (path: string): Buffer => readFileSync(new URL(path, ROOT));

const SIGNALS = [
  ['trace', 'v1', 'Trace'],
  ['logs', 'v1', 'Logs'],
  ['metrics', 'v1', 'Metrics'],
  ['profiles', 'v1development', 'Profiles'],
] as const;
const { registry } = compileSchema(
  [
    'common/v1/common',
    'resource/v1/resource',
    ...SIGNALS.flatMap(([signal, version]) => [
      `${signal}/${version}/${signal}`,
      `collector/${signal}/${version}/${signal}_service`,
    ]),
  ]
    .map((name) => `opentelemetry/proto/${name}.proto`)
    .map((path) => ({ path, content: fileOf(`schemas/${path}`).toString('utf8') })),
);

test.each(SIGNALS)('the Collector reads the %s that are written', (signal, version, name) => {
  const type = registry.messages.get(`opentelemetry.proto.collector.${signal}.${version}.Export${name}ServiceRequest`)!;
  const message = new Uint8Array(fileOf(`fixtures/otlp-json/${signal}.binpb`));
  const text = fileOf(`fixtures/otlp-json/${signal}.json`).toString('utf8');
  const textOf = (protobuf: Uint8Array): string | false => {
    const read = encodingSubject(protobuf, type);
    const encoded = read.ok ? encode(encodingById('json-otlp')!, read.subject) : read;
    return encoded.ok && new TextDecoder().decode(encoded.bytes);
  };
  expect(textOf(message)).toBe(text);
  const { protobuf } = readJson(new TextEncoder().encode(text), type);
  expect(textOf(protobuf)).toBe(text);
  // The Collector writes fields in another order.
  expect(protobuf.toSorted()).toEqual(message.toSorted());
});

test('only the escapes of two characters that the Collector has are written', () => {
  const type = registry.messages.get('opentelemetry.proto.trace.v1.Span')!;
  const read = encodingSubject(Uint8Array.from([0x2a, 5, 8, 9, 12, 10, 34]), type);
  const texts = ['json-otlp', 'json'].map((id) => {
    const encoded = read.ok ? encode(encodingById(id)!, read.subject) : read;
    return encoded.ok && new TextDecoder().decode(encoded.bytes);
  });
  expect(texts).toEqual(['{"name":"\\u0008\\t\\u000c\\n\\""}', '{"name":"\\b\\t\\f\\n\\""}']);
});
