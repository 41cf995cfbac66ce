/**
 * Messages → their shapes; several shapes are length-prefixed. The result is checked: the profile is the same to the
 * byte, and no four replaced bytes equal four bytes of any text. If a check fails, another filler is tried; if all
 * fail, there is no shape.
 */

import type { Profile } from '../cost/profile.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import type { Overrides } from '../native/derive.ts';
import type { NativeProfile } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { TEXT_SALTS } from './fill-text.ts';
import { type Shape, shapeMessage } from './shape-message.ts';

export interface ShapeRequest {
  readonly type: MessageDescriptor | undefined;
  readonly nativeProfile: NativeProfile;
  readonly overrides: Overrides;
}

export interface MadeShape {
  readonly payload: Uint8Array<ArrayBuffer>;
  /** How the messages are delimited: the id of a framing. */
  readonly framing: 'single' | 'varint';
}

/** undefined: no filler keeps both promises for these messages. */
export function makeShape(messages: readonly Uint8Array[], request: ShapeRequest): MadeShape | undefined {
  const figures = figuresOf(messages, request);
  for (let salt = 0; salt < TEXT_SALTS; salt++) {
    const shapes = messages.map((message) => shapeMessage(message, request.type, salt));
    const whole = join(shapes);
    if (holdsTextOf(messages, shapes, whole)) continue;
    const bytes = shapes.map((shape) => shape.bytes);
    if (figuresOf(bytes, request) === figures) {
      return { payload: whole.payload, framing: messages.length === 1 ? 'single' : 'varint' };
    }
  }
  return undefined;
}

/** The profile as text. It is equal if every figure is equal. */
function figuresOf(messages: readonly Uint8Array[], { type, nativeProfile, overrides }: ShapeRequest): string {
  const ledgers = new Ledgers(type, nativeProfile, overrides);
  for (const message of messages) ledgers.add(message);
  const profile: Profile = ledgers.profile();
  return JSON.stringify(profile);
}

interface Joined {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly replaced: Uint8Array;
}

function join(shapes: readonly Shape[]): Joined {
  const parts: { readonly bytes: ArrayLike<number>; readonly replaced: ArrayLike<number> }[] = [];
  for (const shape of shapes) {
    if (shapes.length > 1) {
      const prefix = varint(shape.bytes.length);
      parts.push({ bytes: prefix, replaced: prefix.map(() => 0) });
    }
    parts.push(shape);
  }
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const payload = new Uint8Array(size);
  const replaced = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    payload.set(part.bytes, at);
    replaced.set(part.replaced, at);
    at += part.bytes.length;
  }
  return { payload, replaced };
}

function varint(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

const WINDOW = 4;

/**
 * Whether four consecutive bytes, at least one of them filler, equal four bytes of a text. Tags and lengths alone may
 * do so.
 */
function holdsTextOf(
  messages: readonly Uint8Array[],
  shapes: readonly Shape[],
  { payload, replaced }: Joined,
): boolean {
  const windows = new Set<number>();
  messages.forEach((message, ordinal) => {
    const { texts } = shapes[ordinal]!;
    for (let span = 0; span < texts.length; span += 2) {
      for (let at = texts[span]!; at + WINDOW <= texts[span + 1]!; at++) windows.add(windowAt(message, at));
    }
  });
  let lastFiller = -WINDOW;
  for (let end = 0; end < payload.length; end++) {
    if (replaced[end] === 1) lastFiller = end;
    const start = end - WINDOW + 1;
    if (start >= 0 && lastFiller >= start && windows.has(windowAt(payload, start))) return true;
  }
  return false;
}

const windowAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
