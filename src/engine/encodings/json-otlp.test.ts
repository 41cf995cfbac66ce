/**
 * OTLP/JSON that go.opentelemetry.io/collector/pdata 1.70.0 has read: `x.json` gave it the message of `x.binpb`, with
 * every kind of value, ids, enums, the greatest integers and exponents.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { encode } from './encoding-row.ts';
import { encodingById, encodingSubject } from './encodings.ts';
import { readJson } from './read-json/read-json.ts';

const ROOT = new URL('../../../', import.meta.url);
const fileOf = (path: string): Buffer => readFileSync(new URL(path, ROOT));

const SIGNALS = { trace: 'Trace', logs: 'Logs', metrics: 'Metrics' } as const;
const { registry } = compileSchema(
  ['common', 'resource', 'trace', 'logs', 'metrics', ...Object.keys(SIGNALS).map((signal) => `collector/${signal}`)]
    .map((name) => `opentelemetry/proto/${name}/v1/${name.replace('collector/', '')}`)
    .map((path) => `${path}${path.includes('collector') ? '_service' : ''}.proto`)
    .map((path) => ({ path, content: fileOf(`schemas/${path}`).toString('utf8') })),
);

test.each(Object.entries(SIGNALS))('the Collector reads the %s that are written', (signal, name) => {
  const type = registry.messages.get(`opentelemetry.proto.collector.${signal}.v1.Export${name}ServiceRequest`)!;
  const message = new Uint8Array(fileOf(`fixtures/otlp-json/${signal}.binpb`));
  const text = fileOf(`fixtures/otlp-json/${signal}.json`).toString('utf8');
  const read = encodingSubject(message, type);
  const encoded = read.ok ? encode(encodingById('json-otlp')!, read.subject) : read;
  expect(encoded.ok && new TextDecoder().decode(encoded.bytes)).toBe(text);
  expect(readJson(new TextEncoder().encode(text), type).protobuf).toEqual(message);
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
