/** The contents of an Any stay protobuf in a native stream. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { bytesIn, PROTOBUF } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { compileSchema } from '../schema/compile.ts';
import { NATIVE_PROFILES } from './profiles.ts';

const { registry } = compileSchema([
  {
    path: 'held.proto',
    content: `syntax = "proto2"; package held; import "google/protobuf/any.proto";
      message Box { repeated google.protobuf.Any many = 1; optional bool odd = 2; }
      message Item { optional int32 n = 1; repeated Item inner = 2; optional group G = 3 { optional string s = 1; } map<string, int32> m = 4; }`,
  },
]);
const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
const item = (contents: readonly number[]): number[] =>
  prefixed(10, [...prefixed(10, Buffer.from('/held.Item')), ...prefixed(18, contents)]);
/** n, a list in a list, a group, an entry, an unknown number and an unknown group. */
const CONTENTS = [8, 5, 18, 4, 18, 2, 8, 1, 27, 10, 1, 65, 28, 34, 5, 10, 1, 66, 16, 7, 0x98, 6, 1, 0x53, 8, 1, 0x54];

test.each(NATIVE_PROFILES)('$id: each field of the contents takes the same bytes, measured or written', (profile) => {
  const box = registry.messages.get('held.Box')!;
  for (const extra of [[], [16, 0x81, 0]]) {
    const ledgers = new Ledgers(box, profile);
    ledgers.add(Uint8Array.from([...item(CONTENTS), ...item([]), ...extra]));
    const inside = ledgers.profile().fields.filter(({ path }) => path.startsWith('many.[held.Item].'));
    const sizes = (id: string) => inside.map((field) => [field.path, bytesIn(field, id)]);
    expect(sizes(profile.id)).toEqual(sizes(PROTOBUF));
    expect(inside.reduce((sum, field) => sum + bytesIn(field, PROTOBUF), 0)).toBe(CONTENTS.length);
  }
});

test('any messages: what is in an Any has as many bytes natively, or none where a later value replaces it', () => {
  fc.assert(
    fc.property(
      arbitraryMessages({ any: true, odd: false }),
      fc.constantFrom(...NATIVE_PROFILES),
      ({ type, messages }, profile) => {
        const ledgers = new Ledgers(type, profile);
        for (const message of messages) ledgers.add(message);
        for (const field of ledgers.profile().fields) {
          if (field.writer !== 'kept as protobuf') continue;
          expect(bytesIn(field, profile.id), field.path).toBe(bytesIn(field, PROTOBUF));
        }
      },
    ),
    { numRuns: 300 },
  );
});
