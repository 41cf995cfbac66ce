/** The difference that compression leaves, in a sentence. */
import { formatBytes, formatCount, formatPercent, formatSignedPercent, shareOf } from './number-text.ts';

export interface CompressedFacts {
  readonly codecs: readonly { readonly codec: string; readonly protobuf: number; readonly native: number }[];
  readonly messages: number;
  readonly outOf: number;
}

/** Names of the two sides, which the sizes call protobuf and native. */
type SideNames = readonly [first: string, second: string];

/** `After gzip level 6, protobuf takes 4,321 bytes and native 4,300: +0.49 %.` One sentence per compressor. */
export function compressedWords(
  { codecs, messages, outOf }: CompressedFacts,
  [first, second]: SideNames,
): readonly string[] {
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
  return how === '' ? sentences : [...sentences, `${how.charAt(0).toUpperCase()}${how.slice(1)}.`];
}
