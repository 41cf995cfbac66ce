import { pick, type Random } from './random.ts';

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const AWKWARD = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x1f, 0x22, 0x7b];

/**
 * One to eight changes: a byte, a bit, a cut, a repetition, a piece from elsewhere or from another input, a large length,
 * a word of the format.
 *
 * @param words what the format's grammar is made of
 */
export function mutate(bytes: Uint8Array, other: Uint8Array, words: readonly Uint8Array[], random: Random): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  for (let count = 1 + random(8); count > 0; count--) {
    const at = random(changed.length + 1);
    const size = random(Math.min(64, changed.length - at) + 1);
    const before = changed.subarray(0, at);
    const behind = changed.subarray(at);
    switch (random(9)) {
      case 0:
        changed = joined(before, Uint8Array.of(random(256)), behind.subarray(1));
        break;
      case 1:
        changed = joined(before, Uint8Array.of(pick(AWKWARD, random)), behind);
        break;
      case 2:
        changed = joined(before, behind.subarray(size));
        break;
      case 3:
        changed = joined(before, behind.subarray(0, size), behind);
        break;
      case 4: {
        const from = random(changed.length + 1);
        changed = joined(before, changed.subarray(from, from + size), behind.subarray(size));
        break;
      }
      case 5: {
        const from = random(other.length + 1);
        changed = joined(before, other.subarray(from, from + 1 + random(400)), behind.subarray(random(2) * size));
        break;
      }
      case 6:
        if (behind.length > 0) behind[0]! ^= 1 << random(8);
        break;
      case 7:
        if (words.length > 0) changed = joined(before, pick(words, random), behind.subarray(random(2) * size));
        break;
      default:
        changed = joined(before, Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), behind.subarray(5));
    }
  }
  return changed;
}
