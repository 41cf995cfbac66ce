/** What figures were measured from, in one sentence: a figure without it convinces nobody. */
import { compressedWords } from '#charts/compressed-words.ts';
import { formatBytes, formatCount } from '#charts/number-text.ts';
import type { Subject } from './subject.ts';

export function sourceLine({ profile, from, compressed }: Subject): string {
  const messages = `${formatCount(profile.messages)} ${profile.messages === 1 ? 'message' : 'messages'}`;
  return [
    `Measured from ${from.name}`,
    `${messages}${profile.type === '' ? '' : ` of ${profile.type}`}, ${formatBytes(profile.bytes.protobuf)}`,
    ...(from.native === null ? [] : [`native: ${from.native}`]),
    `${from.date}, Wirecost ${from.version}`,
    ...(compressed === null ? [] : [compressedWords(compressed).join(' ')]),
  ].join(' · ');
}
