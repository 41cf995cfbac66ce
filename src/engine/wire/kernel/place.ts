/** The position of the walk, for the loops that read records of the usual forms. walk.ts has variables with these names. */
import * as Memory from '../kernel-memory.ts';
import * as Frames from './frames.ts';
import { dispatchBase } from './state.ts';

export let p: usize = 0;
export let limit: usize = 0;
export let block: u32 = 0;
export let group: u32 = 0;
export let owner: u32 = 0;
export let instance: u32 = 0;
export let lastInstance: u32 = 0;
/** Number of annotations, including spilled ones. */
export let annotation: u32 = 0;
/** Bits of ScanFlag of the message's records read so far. */
export let flags: i32 = 0;

/** Addresses of the end of the message and of the end of the last message. */
let messageEnd: usize = 0;
let lastEnd: usize = 0;

/** Sets the messages to add up: their ends are at [ends, last]. */
export function setMessages(ends: usize, last: usize): void {
  messageEnd = ends;
  lastEnd = last;
}

export function hasNextMessage(): boolean {
  return messageEnd < lastEnd;
}

/** Replaces the end of the message, which was read, by its flags. */
export function storeFlags(bits: i32): void {
  store<i32>(messageEnd, bits);
}

/** Continues with the next message. Returns its end. */
export function nextMessage(): usize {
  flags = 0;
  messageEnd += 4;
  return load<u32>(messageEnd);
}

/** Sets the position to continue at. */
export function stand(
  at: usize,
  end: usize,
  within: u32,
  inGroup: u32,
  by: u32,
  own: u32,
  last: u32,
  rows: u32,
  bits: i32,
): void {
  p = at;
  limit = end;
  block = within;
  group = inGroup;
  owner = by;
  instance = own;
  lastInstance = last;
  annotation = rows;
  flags = bits;
}

/** Sets the position that a loop has reached. */
export function pause(at: usize, end: usize, table: usize, own: u32, top: usize): void {
  p = at;
  limit = end;
  block = u32(table - dispatchBase) >> Memory.BLOCK_SHIFT;
  instance = own;
  Frames.resume(top);
}

/** Sets what only annotating changes. */
export function annotated(inGroup: u32, by: u32, rows: u32): void {
  group = inGroup;
  owner = by;
  annotation = rows;
}

/** The number of a further message instance. */
export function nextInstance(): u32 {
  const number = lastInstance + 1;
  lastInstance = number;
  return number;
}

export function enterInstance(): void {
  instance = nextInstance();
}

export function returnTo(own: u32): void {
  instance = own;
}

export function note(bits: i32): void {
  flags |= bits;
}
