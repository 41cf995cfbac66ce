/** A profile → why both encodings differ, in one or two sentences. */
import { CAUSES, compareProfile } from '#engine/cost/compare.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { fieldsBehind, otherTypes } from './cause-words.ts';
import { contentsWords } from './content-words.ts';
import { headerWords } from './header-words.ts';
import { formatSigned } from './number-text.ts';

/** The largest cause, what another type would change, what the transport's header adds, and compressed contents. */
export function reasonsOf(profile: Profile): string {
  const [largest] = [...compareProfile(profile)].sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
  const behind = largest === undefined ? '' : fieldsBehind(largest);
  return [
    largest && `${CAUSES[largest.cause]} ${formatSigned(largest.bytes)}${behind === '' ? '' : ` (${behind})`}.`,
    otherTypes(profile),
    headerWords(profile),
    contentsWords(profile).trim(),
  ]
    .filter(Boolean)
    .join(' ');
}
