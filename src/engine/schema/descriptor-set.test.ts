import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { factsOfRegistry, factsOfSet, filesOfSet } from '#testing/schema-facts.ts';
import { compileSchema } from './compile.ts';

const FIXTURES = new URL('../../../fixtures/schema/', import.meta.url);
const SETS = [...readdirSync(new URL('sets/', FIXTURES)).map((name) => `sets/${name}`), 'rules/rules.binpb'];

test.each(SETS)('%s means what a second runtime says it means', (path) => {
  const content = new Uint8Array(readFileSync(new URL(path, FIXTURES)));
  const { registry, diagnostics } = compileSchema([{ path, content }]);
  expect(diagnostics).toEqual([]);
  const files = new Set(filesOfSet(content));
  const facts = factsOfSet(content);
  const ours = factsOfRegistry(registry, (file) => files.has(file));
  expect(facts.size).toBeGreaterThan(0);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(facts));
});

test.each([
  ['nothing', new Uint8Array(), 'schema/empty-set'],
  ['text in bytes', new TextEncoder().encode('syntax = "proto3";'), 'schema/not-a-set'],
  ['a field without an end', Uint8Array.of(0x0a, 0x7f, 0x0a), 'schema/not-a-set'],
])('%s is no descriptor set', (_, content, code) => {
  const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content }]);
  expect(diagnostics).toMatchObject([{ code, severity: 'error', file: 'x.binpb', start: 0 }]);
  expect(registry.messages.size).toBe(0);
});
