import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { COMPRESSED_BITS_LEDGER, paidProfile } from '../../cost/paid-profile.ts';
import { bytesIn, totalIn } from '../../cost/profile.ts';
import { compileSchema } from '../../schema/compile.ts';
import { analyze } from '../analyze.ts';

const SCHEMA = 'syntax = "proto3"; package t; message Item { string __proto__ = 1; int64 size = 2; }';

test('fields and container sum to the stream, both as paid and as shared over copies', async () => {
  const { registry } = compileSchema([{ path: 't.proto', content: SCHEMA }]);
  const type = registry.messages.get('t.Item');
  const { profiles } = await analyze(bytesSource('x', Uint8Array.of(0x0a, 2, 65, 66, 0x10, 5)), {}, { registry, type });
  const bits = {
    container: { header: 16 },
    fields: [
      { path: '__proto__', bytes: { tag: 1, value: 2 }, paid: { tag: 6, value: 18 }, shared: { tag: 4, value: 12 } },
      { path: 'size', bytes: { tag: 1, value: 1 }, paid: { tag: 4, value: 12 }, shared: { tag: 6, value: 18 } },
      { path: '(size prefix)', bytes: { length: 1 }, paid: { length: 8 }, shared: { length: 8 } },
    ],
  };
  for (const [which, name] of [
    ['paid', 3],
    ['shared', 2],
  ] as const) {
    const paid = paidProfile(profiles[0]!, bits, which, 'after x');
    expect(paid.pair).toEqual([COMPRESSED_BITS_LEDGER, null]);
    expect(totalIn(paid, COMPRESSED_BITS_LEDGER)).toBe(8);
    expect(bytesIn(paid.fields[0]!, COMPRESSED_BITS_LEDGER)).toBe(name);
    expect(paid.ledgers[COMPRESSED_BITS_LEDGER]?.own).toEqual({ '': { header: 3 } });
  }
});
