/** Rows of one message, in parts. A full part is handed to the host, which from then on changes those rows itself. */
import { MAX_DISTANCE } from '../../model/row-cells.ts';
import * as Memory from '../kernel-memory.ts';
import * as host from './host.ts';
import { kindWith } from './kinds.ts';

/** Number of rows that the host has. */
export let spilled: u32 = 0;
/** The last parent that was reported to the host. */
let farOwner: u32 = 0;

/** Place of a row that was not spilled. */
export function placeOf(row: u32): usize {
  return Memory.ANNOTATIONS + (row - spilled) * Memory.ANNOTATION_SIZE;
}

/** Writes the row of the message itself, which ends at `end`; its kind is 0. */
export function begin(end: u32): void {
  spilled = 0;
  farOwner = 0xffffffff;
  store<u32>(Memory.ANNOTATIONS, 0);
  store<u32>(Memory.ANNOTATIONS, end, 4);
  store<u32>(Memory.ANNOTATIONS, 0, 8);
}

/** Makes room for a row. */
export function makePlace(row: u32): usize {
  if (row - spilled === Memory.ANNOTATIONS_ROOM) {
    host.spill(row);
    spilled = row;
  }
  return placeOf(row);
}

/** Distance from a row to its parent; 0: the host stores the parent. */
export function distance(row: u32, owner: u32): u32 {
  const rows = row - owner;
  return rows <= u32(MAX_DISTANCE) ? rows : reportFar(row, owner);
}

function reportFar(row: u32, owner: u32): u32 {
  if (owner !== farOwner) {
    farOwner = owner;
    host.far(row, owner);
  }
  return 0;
}

/** Sets bits in the kind of a row, spilled or not, and its end unless `end` is 0. */
export function amend(row: u32, end: u32, word: u32): void {
  if (row < spilled) {
    host.patch(row, end, word);
    return;
  }
  const at = placeOf(row);
  if (end !== 0) store<u32>(at, end, 4);
  if (word === 0) return;
  const cell = load<u32>(at, 8);
  store<u32>(at, kindWith(cell, word) | (cell & 0xffff), 8);
}
