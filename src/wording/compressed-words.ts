/** The difference that compression leaves, in a sentence. */
import type { Profile } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatPercent, formatSignedPercent, shareOf } from './number-text.ts';
import { sideNames } from './side-words.ts';
import { aloneWords } from './verdict-words.ts';

export interface CompressedFacts {
  readonly codecs: readonly { readonly codec: string; readonly protobuf: number; readonly native: number }[];
  readonly messages: number;
  readonly outOf: number;
}

/**
 * `After gzip level 6: protobuf 1,010 bytes, native 1,000: protobuf costs +1.00 %.` One sentence per compressor.
 * @param profile whose two sides the sizes call protobuf and native
 */
export function compressedWords({ codecs, messages, outOf }: CompressedFacts, profile: Profile): readonly string[] {
  const [first, second] = sideNames(profile);
  const sentences = codecs.map(({ codec, protobuf, native }) => {
    const ratio = shareOf(protobuf - native, native);
    const difference =
      protobuf === native
        ? 'the same'
        : ratio > 0
          ? `${first} costs ${formatSignedPercent(ratio)}`
          : `${first} saves ${formatPercent(-ratio)}`;
    return `After ${codec}: ${first} ${formatBytes(protobuf)}, ${second} ${formatCount(native)}: ${difference}.`;
  });
  const alone = messages === 1 ? '' : 'Each message compressed alone';
  const part =
    messages < outOf
      ? `measured on a sample of ${formatCount(messages)} of ${formatCount(outOf)} messages and extrapolated to all messages`
      : '';
  const how = [alone, part].filter(Boolean).join(', ');
  const whole = includedWords(profile);
  return [
    ...sentences,
    ...(how === '' ? [] : [`${how.charAt(0).toUpperCase()}${how.slice(1)}.`]),
    ...(whole === null ? [] : [whole]),
  ];
}

/** `The sizes include the 9,922 bytes that only JSON has.` They cannot be taken out of compressed bytes; null: there are none. */
export function includedWords(profile: Profile): string | null {
  const words = aloneWords(profile);
  return words && `The sizes include ${words}.`;
}
