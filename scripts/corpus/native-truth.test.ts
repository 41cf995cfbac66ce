/**
 * Objects written by OpenSearch's own classes (fixtures/native/truth): each call and value is where the layouts have
 * it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { printWireVersion } from '#engine/frame/transport/opensearch.ts';
import { endAt, payloadCategoryAt, startAt } from '#engine/model/annotation.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { unattributedBytes } from '#engine/native/roll-up.ts';
import { parseVersion } from '#engine/native/version.ts';
import { PROJECT } from './check.ts';
import { bundledRegistry, compareInstance, readInstances, typeOf } from './native-truth.ts';

/** Lines of the files that are kept, by library version. */
function keptTruth(): ReadonlyMap<string, string> {
  const folder = join(PROJECT, 'fixtures/native/truth');
  const files = readdirSync(folder).filter((name) => name.endsWith('.tsv.br'));
  return new Map(
    files
      .sort()
      .map((name) => [name.slice(0, -7), brotliDecompressSync(readFileSync(join(folder, name))).toString('utf8')]),
  );
}

const registry = await bundledRegistry();

test('every release that the libraries list has the version id that the decoder uses', () => {
  const releases = [...keptTruth().values()].flatMap((text) =>
    text.split('\n').flatMap((line) => {
      const [kind, name, id] = line.split('\t');
      return kind === 'release' ? [{ name: name!, id: Number(id) }] : [];
    }),
  );
  for (const { name, id } of releases) {
    if (id >= 0x08000000) expect(printWireVersion(id), name).toBe(name);
  }
  expect(new Set(releases.map(({ name }) => name)).size).toBeGreaterThan(90);
});

describe.each([...keptTruth()])('written by OpenSearch %s', (_, text) => {
  const instances = [...readInstances(text)];

  test('every instance of a class with a layout is read as it was written', () => {
    const differences: string[] = [];
    let agreeing = 0;
    let laidOut = 0;
    for (const instance of instances) {
      const type = typeOf(registry, instance);
      if (type === undefined) continue;
      laidOut++;
      const difference = compareInstance(type, instance);
      if (difference === undefined) agreeing++;
      else if (difference !== 'stopped')
        differences.push(`${instance.category} ${instance.name} at ${instance.version}: ${difference}`);
    }
    expect(differences).toEqual([]);
    expect(agreeing).toBeGreaterThan(0.99 * laidOut);
    expect(laidOut).toBeGreaterThan(1000);
  });

  test('after a name that no layout has, nothing is attributed', () => {
    const layouts = new Map<string, ReturnType<typeof deriveLayouts>>();
    let unknown = 0;
    for (const instance of instances) {
      const { category, name, version, bytes } = instance;
      const type = typeOf(registry, instance);
      if (type === undefined) continue;
      const layoutOf =
        layouts.get(version) ?? deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! });
      layouts.set(version, layoutOf);
      const whole = readNative(bytes, layoutOf(type), layoutOf).table;
      // One name an instance: another one in each.
      const names = Array.from({ length: whole.length }, (_, at) => at).filter(
        (row) => payloadCategoryAt(whole, row) === 'type',
      );
      if (names.length === 0) continue;
      const row = names[unknown++ % names.length]!;
      const changed = bytes.slice();
      changed[endAt(whole, row) - 1] = 0x21;
      const { table, diagnostics } = readNative(changed, layoutOf(type), layoutOf);
      const what = `${category} ${name} at ${startAt(whole, row)}`;
      expect(diagnostics[0], what).toMatchObject({ code: 'native/unknown-name', start: startAt(whole, row) });
      expect(diagnostics[0]!.message, what).toContain(version);
      expect(unattributedBytes(table), what).toBeGreaterThanOrEqual(diagnostics[0]!.end - endAt(whole, row));
      for (let after = row + 1; after < table.length; after++) {
        const isOutside = startAt(table, after) >= diagnostics[0]!.end;
        expect(isOutside || payloadCategoryAt(table, after) === 'unattributed', what).toBe(true);
      }
    }
    expect(unknown).toBeGreaterThan(300);
  });
});
