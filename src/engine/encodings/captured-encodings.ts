/**
 * Messages that were captured in an encoding other than protobuf, unchanged; and readers for the text encodings among
 * them.
 */
import { needed } from '../model/needed-file.ts';
import type { PayloadFormat } from '../model/payload-format.ts';
import type { EncodingRow } from './encoding-row.ts';
import type { FindType, FormatReader } from './format-read.ts';

const NO_ORIGIN = new Int32Array(0);

const asCaptured = (row: Pick<EncodingRow, 'id' | 'label' | 'mapping' | 'separator'>): EncodingRow => ({
  ...row,
  isCommon: true,
  write({ captured }, rows) {
    if (captured === undefined) return { ok: false, reason: 'Some of the messages were captured in protobuf.' };
    const { bytes, table, losses } = captured;
    rows.take(table, () => NO_ORIGIN);
    return { ok: true, bytes, losses };
  },
});

export const CAPTURED_NATIVE: EncodingRow = asCaptured({
  id: 'captured-native',
  label: 'Native as captured',
  mapping: 'The bytes that the transport carried, read by the layout of the message.',
});

export interface CapturedFormat {
  /** `JSON`. */
  readonly label: string;
  /** Id of the encoding that writes such messages. */
  readonly written: string;
  /** The row of the captured messages. */
  readonly row: EncodingRow;
  /** @param findType finds types that a google.protobuf.Any names */
  readonly loadReader: (findType: FindType) => Promise<FormatReader>;
}

export const CAPTURED_FORMATS: Readonly<Record<PayloadFormat, CapturedFormat>> = {
  json: {
    label: 'JSON',
    written: 'json',
    row: asCaptured({
      id: 'captured-json',
      label: 'JSON as captured',
      mapping: 'The text that was captured, with its white space and its names.',
      separator: 0x0a,
    }),
    loadReader: async (findType) => {
      const { jsonReader } = await needed(() => import('./read-json/read-json.ts'));
      return jsonReader(findType);
    },
  },
  txtpb: {
    label: 'Textproto',
    written: 'txtpb',
    row: asCaptured({
      id: 'captured-txtpb',
      label: 'Textproto as captured',
      mapping: 'Protobuf’s text format as it was captured, with its white space and its comments.',
    }),
    loadReader: async (findType) => {
      const { txtpbReader } = await needed(() => import('./read-txtpb/read-txtpb.ts'));
      return txtpbReader(findType);
    },
  },
};
