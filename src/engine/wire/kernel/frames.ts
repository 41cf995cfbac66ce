/**
 * The state to return to after a region or a group, on the stack.
 *
 *   frame    previous │ limit │ block │ group │ owner │ instance │ folded │ cut          four bytes each
 *
 * After each frame come the marks that its message overwrote while a folded message was open: row, LAST, IN_INSTANCE.
 * (A folded message is nested too deeply to have rows of its own. It shares the rows of the nearest enclosing message
 * of its type.)
 */
import { IN_INSTANCE, LAST } from '../cells.ts';
import { makeRoom } from './stack.ts';

export const LIMIT: u32 = 4;
export const BLOCK: u32 = 8;
export const GROUP: u32 = 12;
export const OWNER: u32 = 16;
export const INSTANCE: u32 = 20;
const FOLDED: u32 = 24;
export const CUT: u32 = 28;
export const FRAME: u32 = 32;
const MARK: u32 = 12;

/** The frame of the open region or group. Below `bottom`, it is the frame of the message itself. */
export let frame: usize = 0;
/** Start and end of the stack. */
export let bottom: usize = 0;
export let top: usize = 0;
/** Number of open messages that are folded. */
export let folded: i32 = 0;

export function begin(stack: usize): void {
  bottom = stack;
  resume(stack);
  folded = 0;
}

/** Sets the end of the stack. The last frame is directly before it. */
export function resume(end: usize): void {
  frame = end - FRAME;
  top = end;
}

/** Sets the end of the stack. `resume` has to follow before the frame is used. */
export function setTop(end: usize): void {
  top = end;
}

export function enter(
  limit: usize,
  block: u32,
  group: u32,
  owner: u32,
  instance: u32,
  isFolded: u32,
  isCut: boolean,
): void {
  makeRoom(top);
  store<u32>(top, u32(frame));
  store<u32>(top, u32(limit), LIMIT);
  store<u32>(top, block, BLOCK);
  store<u32>(top, group, GROUP);
  store<u32>(top, owner, OWNER);
  store<u32>(top, instance, INSTANCE);
  store<u32>(top, isFolded, FOLDED);
  store<u32>(top, u32(isCut), CUT);
  frame = top;
  top += FRAME;
  folded += isFolded;
}

/** Saves the row's marks of the enclosing message before they are overwritten. */
export function mark(row: usize, place: u32): void {
  makeRoom(top);
  store<u32>(top, place);
  store<u32>(top, load<u32>(row, LAST * 4), 4);
  store<u32>(top, load<u32>(row, IN_INSTANCE * 4), 8);
  top += MARK;
}

/** Restores the marks and removes the frame, whose bytes stay at `top` until the next push. */
export function leave(rows: usize): void {
  while (top > frame + FRAME) {
    top -= MARK;
    const row = rows + load<u32>(top);
    store<u32>(row, load<u32>(top, 4), LAST * 4);
    store<u32>(row, load<u32>(top, 8), IN_INSTANCE * 4);
  }
  top = frame;
  folded -= load<u32>(top, FOLDED);
  // Without marks, the frames follow each other, and the loops for usual records do not link them.
  frame = folded > 0 ? usize(load<u32>(top)) : top - FRAME;
}
