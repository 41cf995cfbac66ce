/** Held against protobuf-es, which reads and writes whole sets. */
import { readdirSync, readFileSync } from 'node:fs';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { factsOfRegistry, factsOfSet } from '#testing/schema-facts.ts';
import { compileSchema } from '../compile.ts';
import { neededFiles } from '../needed-files.ts';
import { partOfSet } from './part-of-set.ts';

const SETS = new URL('../../../../fixtures/schema/sets/', import.meta.url);
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, SETS)));

describe.each(readdirSync(SETS))('%s', (name) => {
  const set = read(name);
  const { registry } = compileSchema([{ path: name, content: set }]);

  test('the files that each type needs say the same alone', () => {
    const all = fromBinary(FileDescriptorSetSchema, set).file.map((file) => file.name);
    const facts = factsOfSet(set);
    let smaller = 0;
    const seen = new Set<string>();
    for (const { fullName, file } of registry.messages.values()) {
      // Files that protoc brings are always present.
      if (!all.includes(file)) continue;
      const needed = neededFiles(registry, fullName)!;
      const wanted = all.filter((path) => needed.has(path));
      if (seen.has(wanted.join())) continue;
      seen.add(wanted.join());
      const part = partOfSet(set, (path) => needed.has(path))!;
      expect(fromBinary(FileDescriptorSetSchema, part).file.map((each) => each.name)).toEqual(wanted);
      const { registry: compiled, missing } = compileSchema([{ path: name, content: part }]);
      expect(missing).toEqual([]);
      const ours = factsOfRegistry(compiled, (path) => wanted.includes(path));
      expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(factsOfSet(part)));
      expect(ours.get(`message ${fullName}`)).toEqual(facts.get(`message ${fullName}`));
      if (part.length < set.length) smaller++;
    }
    expect(smaller > 0).toBe(all.length > 1);
  });

  test('any choice of its files is the set that protobuf-es writes of them', () => {
    const whole = fromBinary(FileDescriptorSetSchema, set);
    for (let choice = 0; choice < 16; choice++) {
      const isWanted = (path: string): boolean => ((path.length * 7) >> (choice & 3)) % 3 !== choice >> 2;
      const written = toBinary(FileDescriptorSetSchema, {
        ...whole,
        file: whole.file.filter((file) => isWanted(file.name)),
      });
      expect(Buffer.compare(partOfSet(set, isWanted)!, written)).toBe(0);
    }
  });
});

test('a single file without a set around it stays whole; other bytes are refused', () => {
  const [file] = fromBinary(FileDescriptorSetSchema, read('opensearch.binpb')).file;
  const single = toBinary(FileDescriptorSetSchema.fields[0]!.message!, file!);
  const part = partOfSet(single, (path) => path !== 'unneeded.proto');
  expect(part === undefined || Buffer.compare(part, single) === 0).toBe(true);
  expect(partOfSet(Uint8Array.of(0x0a, 0x7f, 0x00), () => true)).toBeUndefined();
});
