/**
 * TFRecord: TensorFlow's training data and TensorBoard's events.
 *
 *   length×8, little-endian │ masked CRC-32C of the length │ message │ masked CRC-32C of the message
 *
 * https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
 */
import { crc32c, maskedSum } from '../../bytes/crc32.ts';
import { littleEndian } from '../../bytes/integers.ts';
import { framed, type SizePrefix } from './size-prefixed-framer.ts';

const LENGTH = 8;
const SUM = 4;

const isSumOf = (sum: Uint8Array, bytes: Uint8Array): boolean => littleEndian(sum, 0) === maskedSum(crc32c(bytes));

const prefix: SizePrefix = (header, length) => {
  if (length < LENGTH + SUM) return 'more';
  if (!isSumOf(header.subarray(LENGTH, LENGTH + SUM), header.subarray(0, LENGTH))) return 'bad';
  return { size: littleEndian(header, 0) + littleEndian(header, 4) * 2 ** 32, kind: 'plain', after: SUM };
};

export const tfrecord = framed({
  id: 'tfrecord',
  label: 'TFRecord',
  prefix,
  isSound: (payload, after) => isSumOf(after, payload),
  isProof: true,
});
