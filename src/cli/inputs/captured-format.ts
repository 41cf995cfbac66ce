/**
 * Messages of one type that were captured as text have a profile of their own, and so have their measurements. Protobuf
 * and native messages share one.
 */
import type { Profile } from '#engine/cost/profile.ts';
import { CAPTURED_FORMATS } from '#engine/encodings/captured-encodings.ts';
import type { EncodingRow } from '#engine/encodings/encoding-row.ts';

const FORMATS = Object.values(CAPTURED_FORMATS).map(({ row }) => row.id);

/** Id of the row of a text format; empty: protobuf or native. @param row of the captured encoding; absent: protobuf */
export const formatOfRow = (row: Pick<EncodingRow, 'id'> | undefined): string =>
  FORMATS.find((id) => id === row?.id) ?? '';

export const formatOfProfile = ({ ledgers }: Pick<Profile, 'ledgers'>): string =>
  FORMATS.find((id) => ledgers[id] !== undefined) ?? '';
