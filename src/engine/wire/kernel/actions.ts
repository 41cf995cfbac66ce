/** The bits of the actions in an entry: one test finds out whether an action is among several. */
import * as Entry from '../entry.ts';

export const VARINT: u32 = 1 << (Entry.ACTION_BITS + Entry.VARINT);
export const I64: u32 = 1 << (Entry.ACTION_BITS + Entry.I64);
export const I32: u32 = 1 << (Entry.ACTION_BITS + Entry.I32);
export const BYTES: u32 = 1 << (Entry.ACTION_BITS + Entry.BYTES);
export const STRING: u32 = 1 << (Entry.ACTION_BITS + Entry.STRING);
export const MESSAGE: u32 = 1 << (Entry.ACTION_BITS + Entry.MESSAGE);
