/** Messages of one type → what their compressed streams lose without a field. */
import type { Compressor } from '../compression/compressors.ts';
import { measureSaved, type Saved } from '../compression/saved-bytes.ts';
import type { Delimit } from '../encodings/matrix.ts';
import type { MessageSample, Per } from '../encodings/message-sample.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { withoutField } from '../wire/without-field.ts';
import { joined } from './measure-bits.ts';

interface Request {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  readonly per: Per;
  readonly compressor: Compressor;
  readonly delimit: Delimit | undefined;
}

/** @param path of the field, as profiles have it */
export function measureFieldSaved({ type, sample, per, compressor, delimit }: Request, path: string): Promise<Saved> {
  const join = (messages: readonly Uint8Array[]): Uint8Array => {
    const parts = messages.flatMap((message) =>
      per === 'message' || delimit === undefined ? [message] : [delimit(message), message],
    );
    return joined(
      parts,
      parts.reduce((sum, { length }) => sum + length, 0),
    );
  };
  const pairs = sample.streams(per).map((stream) => {
    const whole = stream.map(({ protobuf }) => protobuf);
    return {
      whole: join(whole),
      without: join(whole.map((message) => withoutField(message, annotate(message, type).table, path))),
    };
  });
  return measureSaved(pairs, compressor.compress);
}
