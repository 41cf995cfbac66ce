/** The entries with an action are the entries from this value on, below those of the next action. */
import * as Entry from '../entry.ts';

export const UNKNOWN_VARINT: u32 = Entry.UNKNOWN_VARINT << Entry.ACTION_SHIFT;
export const UNKNOWN_GROUP: u32 = Entry.UNKNOWN_GROUP << Entry.ACTION_SHIFT;
export const BYTES: u32 = Entry.BYTES << Entry.ACTION_SHIFT;
export const I32: u32 = Entry.I32 << Entry.ACTION_SHIFT;
export const I64: u32 = Entry.I64 << Entry.ACTION_SHIFT;
export const VARINT: u32 = Entry.VARINT << Entry.ACTION_SHIFT;
export const MESSAGE: u32 = Entry.MESSAGE << Entry.ACTION_SHIFT;
export const STRING: u32 = Entry.STRING << Entry.ACTION_SHIFT;
