/** A profile → why both encodings differ, in one or two sentences. */
import { CAUSES, compareProfile } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { fieldsBehind, otherTypes } from './cause-words.ts';
import { contentsWords } from './content-words.ts';
import { headerWords } from './header-words.ts';
import { formatBytes, formatSigned } from './number-text.ts';

const lackedWords = (bytes: number, by: string): string =>
  `${formatBytes(bytes)} ${bytes === 1 ? 'is' : 'are'} in fields that ${by} does not have.`;

/**
 * The largest cause, what the native layout lacks, what another type would change, what the transport's header adds,
 * and compressed contents.
 */
export function reasonsOf(profile: Profile): string {
  const causes = compareProfile(profile);
  const [largest] = [...causes].sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
  // They count on one side only, as unattributed bytes do.
  const outside = causes.find((found) => found.cause === 'outside' && found !== largest);
  const absent = causes.find((found) => found.cause === 'nativeOnly' && found !== largest);
  const behind = largest === undefined ? '' : fieldsBehind(largest);
  return [
    largest && `${CAUSES[largest.cause]} ${formatSigned(largest.bytes)}${behind === '' ? '' : ` (${behind})`}.`,
    outside && lackedWords(outside.bytes, profile.other?.label ?? 'the native layout'),
    profile.other?.isCaptured && absent && lackedWords(-absent.bytes, 'the type'),
    otherTypes(profile),
    headerWords(profile),
    contentsWords(profile).trim(),
  ]
    .filter(Boolean)
    .join(' ');
}
