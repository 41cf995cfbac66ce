/** Conversations written byte by byte, and what is made of them: for the tests of each transport. */
import { expect } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import { type Saying, writeConversation } from '../capture/containers/packets-writer.testing.ts';
import type { CaptureOptions } from './capture-facts.ts';
import { readCapture } from './read-capture.ts';

type Part = string | readonly number[] | Uint8Array;

export const bytes = (...parts: readonly Part[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])));

export const says = (side: 0 | 1, ...parts: readonly Part[]): Saying => ({ side, bytes: bytes(...parts) });
export const loses = (side: 0 | 1, size: number): Saying => ({ side, bytes: new Uint8Array(size), lost: true });

/** Messages as `direction method status type: payload`, their times, codes of the findings, and the layers that hold bytes. */
export async function read(
  sayings: readonly Saying[],
  options: CaptureOptions & { readonly whole?: boolean; readonly segment?: number } = {},
) {
  const file = writeConversation(sayings, options);
  const messages: string[] = [];
  const times: (number | null)[] = [];
  const facts = await readCapture(
    bytesSource('made', file),
    ({ direction, method, status, typeHint, transport, time }, payload) => {
      times.push(time);
      const title = [transport, direction, method, status, typeHint].filter((part) => part !== null).join(' ');
      messages.push(`${title}: ${Buffer.from(payload).toString('latin1')}`);
    },
    options,
  );
  expect(sumLayers(facts.layers)).toBe(file.length);
  const codes = facts.diagnostics.map(({ code }) => code);
  return { messages, times, codes, diagnostics: facts.diagnostics, layers: facts.layers, traffic: facts.traffic };
}

export const int = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
export const short = (text: string): number[] => [text.length, ...Buffer.from(text)];
