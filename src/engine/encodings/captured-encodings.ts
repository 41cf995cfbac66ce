/** Messages that came in another encoding than protobuf, as they came. */
import type { EncodingRow } from './encoding-row.ts';

const NO_ORIGIN = new Int32Array(0);

const asCaptured = (row: Pick<EncodingRow, 'id' | 'label' | 'mapping' | 'separator'>): EncodingRow => ({
  ...row,
  isCommon: true,
  encode: ({ captured }) =>
    captured === undefined
      ? { ok: false, reason: 'Some of the messages were captured in protobuf.' }
      : { ok: true, ...captured, origin: NO_ORIGIN, losses: {} },
});

export const CAPTURED_NATIVE: EncodingRow = asCaptured({
  id: 'captured-native',
  label: 'Native as captured',
  mapping: 'The bytes that the transport carried, read by the layout of the message.',
});
