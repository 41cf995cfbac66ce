/**
 * Reads the usual fields of a native message quickly, one row each: values whose end follows from a few bytes, and
 * values that a flag or count marks as absent. It stops before anything else, so that only `read.ts` reports faults.
 *
 *   ┌ flag 0 ┐    ┌ flag 1? ┬ value ┐    ┌ flag 1? ┬ length ┬ text ┐    ┌ flag 1? ┬ count 0 ┐
 */
import { composeFlags, Flag, NO_WIRE_TYPE } from '../model/annotation.ts';
import { isConditionMet } from './condition.ts';
import { type Input, unitsEnd } from './input.ts';
import { Prefix, type ReadStep, Skimmed } from './read-plan.ts';
import type { NativeRows } from './rows.ts';
import type { StepFields } from './step-fields.ts';

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const ABSENT = VALUE | Flag.DEFAULT;
/** Units of the packed header sizes of a row. */
const FLAG_BYTE = 1;
const COUNT_BYTE = 1 << 8;
const LENGTH_BYTE = 1 << 12;

export class Skim {
  readonly #input: Input;
  readonly #rows: NativeRows;
  readonly #fields: StepFields;
  /** The last skipped value: the size of its length, and the flags of its row. */
  #lengthSize = 0;
  #flags = VALUE;

  constructor(input: Input, rows: NativeRows, fields: StepFields) {
    this.#input = input;
    this.#rows = rows;
    this.#fields = fields;
  }

  /**
   * Reads the steps of a message from `first` on, as children of the row `parent`. Returns the step before which it
   * stopped.
   */
  steps(steps: readonly ReadStep[], first: number, kept: Float64Array | undefined, parent: number): number {
    const input = this.#input;
    const rows = this.#rows;
    const fields = this.#fields;
    const { bytes, limit } = input;
    let start = input.at;
    let next = first;
    for (; next < steps.length; next++) {
      const step = steps[next]!;
      if (step.when !== undefined && !isConditionMet(step.when, kept![step.whenAt]!)) continue;
      if (step.skimmed === Skimmed.NEVER) break;
      let at = start;
      let head = 0;
      let flags = VALUE;
      if (step.isFlagged) {
        const flag = at < limit ? bytes[at++]! : 2;
        if (flag > 1) break;
        head = FLAG_BYTE;
        if (flag === 0) {
          rows.add(start, at, parent, fields.indexOf(step), head, flags);
          start = at;
          continue;
        }
      }
      if (step.isList) {
        const size = step.countPrefix === Prefix.VINT ? 1 : step.countPrefix === Prefix.INT ? 4 : 0;
        if (size === 0 || size > limit - at || bytes[at] !== 0) break;
        if (size === 4 && (bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!) !== 0) break;
        head += size * COUNT_BYTE;
        if (step.isOneMore) flags = ABSENT;
        at += size;
      } else {
        at = this.#end(step, at);
        if (at < 0) break;
        head += this.#lengthSize * LENGTH_BYTE;
        flags = this.#flags;
      }
      rows.add(start, at, parent, fields.indexOf(step), head, flags);
      start = at;
    }
    input.at = start;
    return next;
  }

  /** Reads up to `elements` values as children of the row `list`. Returns how many it read. */
  elements(step: ReadStep, elements: number, list: number): number {
    const input = this.#input;
    const rows = this.#rows;
    const index = this.#fields.indexOf(step);
    if (step.skimmed === Skimmed.NEVER) return 0;
    for (let taken = 0; taken < elements; taken++) {
      const end = this.#end(step, input.at);
      if (end < 0) return taken;
      rows.add(input.at, end, list, index, this.#lengthSize * LENGTH_BYTE, this.#flags);
      input.at = end;
    }
    return elements;
  }

  /** The end of the value at an offset; −1: it is unusual or incomplete. */
  #end(step: ReadStep, at: number): number {
    const { bytes, limit } = this.#input;
    this.#lengthSize = 0;
    this.#flags = VALUE;
    switch (step.skimmed) {
      case Skimmed.FIXED:
        return step.size > limit - at ? -1 : at + step.size;
      case Skimmed.VARINT: {
        const longest = Math.min(limit, at + step.size);
        let end = at;
        while (end < longest && bytes[end]! > 127) end++;
        // A varint that ends in a zero byte is longer than necessary.
        return end === longest || (bytes[end] === 0 && end > at) ? -1 : end + 1;
      }
      case Skimmed.BOOL: {
        const byte = at < limit ? bytes[at]! : 3;
        if (byte === 2) this.#flags = ABSENT;
        return byte > step.size ? -1 : at + 1;
      }
      case Skimmed.UNITS:
      case Skimmed.SIZED:
        return this.#textEnd(step, at);
      default:
        return -1;
    }
  }

  #textEnd(step: ReadStep, start: number): number {
    const input = this.#input;
    const { bytes, limit } = input;
    let at = start;
    let written = 0;
    if (step.lengthPrefix === Prefix.INT) {
      if (limit - at < 4) return -1;
      written = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
    } else {
      // Longer lengths exceed any input; a trailing zero byte means an overlong varint.
      let byte = 128;
      for (let shift = 0; byte > 127; shift += 7) {
        if (at === limit || shift === 28) return -1;
        byte = bytes[at++]!;
        written |= (byte & 127) << shift;
      }
      if (byte === 0 && at - start > 1) return -1;
    }
    this.#lengthSize = at - start;
    if (written === step.absentLength) {
      this.#flags = ABSENT;
      return at;
    }
    const size = step.absentLength === 0 ? written - 1 : written;
    if (size < 0 || size > limit - at) return -1;
    return step.skimmed === Skimmed.UNITS ? unitsEnd(input, at, size) : at + size;
  }
}
