/** Tokens before they are handed to the host: see ../bits/tokens.ts. Plain offsets are relative to `origin`. */
import { BITS_COLUMN, DISTANCE_COLUMN, TOKEN_ENDS, TOKENS_ROOM } from '../bits/kernel-memory.ts';
import * as host from './host.ts';

/** From this address on, there may be no room for two further tokens. */
export const FULL: usize = TOKEN_ENDS + 4 * TOKENS_ROOM;

/** Address of the next token. */
export let next: usize = TOKEN_ENDS;
/** Address of the first plain byte. */
export let origin: usize = 0;

export function begin(from: usize): void {
  next = TOKEN_ENDS;
  origin = from;
}

export function stand(token: usize): void {
  next = token;
}

export function write(token: usize, end: usize, distance: usize, bits: u32): void {
  store<u32>(token, u32(end));
  store<u32>(token, u32(distance), DISTANCE_COLUMN);
  store<u32>(token, bits, BITS_COLUMN);
}

/** @param to end of the token's plain bytes */
export function push(to: usize, distance: usize, bits: u32): void {
  write(next, to - origin, distance, bits);
  next += 4;
  if (next >= FULL) spill();
}

/** Hands the tokens before `token` to the host. Returns the address of the next token. */
export function spillTo(token: usize): usize {
  if (token !== TOKEN_ENDS) host.spill(u32((token - TOKEN_ENDS) >> 2));
  return TOKEN_ENDS;
}

export function spill(): void {
  next = spillTo(next);
}
