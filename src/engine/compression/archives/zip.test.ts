import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { littleEndian } from '../../bytes/integers.ts';
import { joinBytes } from '../../bytes/join.ts';
import { atOnce } from '../codec.ts';
import { zipEntries } from './zip.ts';

test('an archive of more files than its end record can count is whole', () => {
  const one = zipSync({ a: Uint8Array.of(8, 1) }, { level: 0 });
  const end = one.slice(-22);
  const directory = one.subarray(littleEndian(end, 16), -22);
  end.fill(0xff, 8, 12);
  const local = one.subarray(0, littleEndian(end, 16));
  const entries = zipEntries(joinBytes([local, ...Array<Uint8Array>(65_600).fill(directory), end]))!;
  expect(entries).toHaveLength(65_600);
  expect(atOnce(entries.at(-1)!.unpack(10))).toEqual({ ok: true, bytes: Uint8Array.of(8, 1) });
});
