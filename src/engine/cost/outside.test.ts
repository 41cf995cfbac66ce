/** A message in a field that the native layout does not have: all of its bytes have this one cause. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { readNative } from '../native/read.ts';
import { parseVersion } from '../native/version.ts';
import { compileSchema } from '../schema/compile.ts';
import { compareProfile } from './compare.ts';
import { mergeProfiles } from './merge-profiles.ts';
import { Ledgers } from './type-profiler.ts';

const OPTIONS = readFileSync(new URL('../../../schemas/native/options.proto', import.meta.url), 'utf8');

const { registry } = compileSchema([
  {
    path: 'o.proto',
    content: `syntax = "proto2"; package o;
      message Order { optional fixed64 id = 1; optional Wrap own = 2; extensions 100 to 199; }
      message Wrap { optional string paper = 1; optional Wrap inner = 2; }
      extend Order { optional Wrap wrap = 101; }
      message Crate { optional Box box = 1; optional fixed64 id = 2; }
      message Box { option message_set_wire_format = true; extensions 4 to max; }
      message Item { extend Box { optional Item item = 5; } optional string paper = 1; repeated int32 sizes = 2; }`,
  },
]);
const wrap = (text: string, ...inner: readonly number[]): number[] => [10, text.length, ...Buffer.from(text), ...inner];
// id, own { paper: "é" }, wrap { paper: "é" inner { paper: "blue" } }: é has two bytes, and one UTF-16 unit.
const INNER = wrap('blue');
const OUTSIDE = [0xaa, 6, 4 + 2 + INNER.length, 10, 2, 0xc3, 0xa9, 18, INNER.length, ...INNER];
const MESSAGE = Uint8Array.from([9, 1, 2, 3, 4, 5, 6, 7, 8, 18, 4, 10, 2, 0xc3, 0xa9, ...OUTSIDE]);

test.each(NATIVE_PROFILES)('$id', (profile) => {
  const ledgers = new Ledgers(registry.messages.get('o.Order'), profile);
  ledgers.add(MESSAGE);
  const causes = compareProfile(ledgers.profile());
  const outside = causes.find(({ cause }) => cause === 'outside')!;
  expect(outside.bytes).toBe(OUTSIDE.length);
  for (const { cause, fields } of causes) {
    const isOutside = (path: string): boolean => path.startsWith('[');
    expect(fields.map(({ field }) => isOutside(field.path))).toEqual(fields.map(() => cause === 'outside'));
  }
});

// box { item { paper: "é" sizes: 1 sizes: -1 } }, id
const MINUS_ONE = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
const ITEM = [10, 2, 0xc3, 0xa9, 16, 1, 16, ...MINUS_ONE];
const SET = [11, 16, 5, 26, ITEM.length, ...ITEM, 12];
const CRATE = Uint8Array.from([10, SET.length, ...SET, 17, 1, 2, 3, 4, 5, 6, 7, 8]);

test.each(NATIVE_PROFILES)('an item of a message set in $id', (profile) => {
  const ledgers = new Ledgers(registry.messages.get('o.Crate'), profile);
  ledgers.add(CRATE);
  const { fields, ...rest } = ledgers.profile();
  const inside = fields.filter(({ path }) => path.startsWith('box.'));
  expect(inside.map(({ name, writer }) => [name, writer])).toEqual([
    ['[o.Item.item]', null],
    ['type_id', null],
    ['message', null],
    ['paper', null],
    ['sizes', null],
  ]);
  const outside = compareProfile({ ...rest, fields }).find(({ cause }) => cause === 'outside')!;
  expect(outside.bytes).toBe(SET.length);
});

test('a field of an earlier version than the newest is in the layout of messages of that version', () => {
  const { registry } = compileSchema([
    {
      path: 'v.proto',
      content: `syntax = "proto3"; package v; import "native/options.proto";
        message Tally {
          bool is_old = 1 [(wirecost.native.write) = BOOLEAN, (wirecost.native.until) = "2.0.0"];
          repeated Part parts = 2 [(wirecost.native.until) = "2.0.0"];
          int64 count = 3 [(wirecost.native.write) = LONG];
        }
        message Part { int32 size = 1 [(wirecost.native.write) = VINT]; }`,
    },
    { path: 'native/options.proto', content: OPTIONS },
  ]);
  const type = registry.messages.get('v.Tally')!;
  const ofVersion = (version: string, ...bytes: readonly number[]) => {
    const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! });
    const captured = Uint8Array.from([...bytes, 0, 0, 0, 0, 0, 0, 0, 9]);
    const ledgers = new Ledgers(type, SCHEMA_LAYOUT_PROFILE);
    ledgers.addNative(captured, readNative(captured, layoutOf(type), layoutOf));
    return ledgers.profile();
  };
  const [older, newer] = [ofVersion('1.9.0', 1, 1, 7), ofVersion('2.0.0')] as const;
  for (const profile of [older, mergeProfiles(newer, older)]) {
    expect(profile.fields.map(({ path, writer }) => [path, writer])).toEqual([
      ['is_old', 'Boolean'],
      ['parts', 'VInt count, fields each'],
      ['parts.size', 'VInt'],
      ['count', 'Long'],
    ]);
    expect(compareProfile(profile).map(({ cause }) => cause)).not.toContain('outside');
  }
});
