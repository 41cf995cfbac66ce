import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import type { FieldProfile, Profile } from '../../cost/profile.ts';
import { NATIVE_PROFILES } from '../../native/profiles.ts';
import { inferDescriptor } from '../../wire/infer-descriptor.ts';
import { MessageProfiler } from '../message-profiler.ts';
import { implausibilityOf } from './implausibility.ts';

const root = new URL('../../../../', import.meta.url);
const file = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, root)));
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const noise = (size: number): Uint8Array => {
  let state = 12_345;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >> 16;
  });
};
const behind = (head: string, rest: Uint8Array): Uint8Array => new Uint8Array([...latin1(head), ...rest]);

async function judge(...messages: readonly Uint8Array[]) {
  const profiler = new MessageProfiler(inferDescriptor(messages), { nativeProfile: NATIVE_PROFILES[0]! });
  for (const [ordinal, bytes] of messages.entries()) profiler.add(bytes, ordinal);
  const profile = await profiler.profile();
  return implausibilityOf(profile, profiler.findings);
}

describe('bytes that do not look like protobuf', () => {
  test.each<[string, Uint8Array, string]>([
    ['a PNG', behind('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', deflateSync(noise(500))), 'It begins as a PNG picture does.'],
    ['a PDF', behind('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', noise(500)), 'It begins as a PDF document does.'],
    ['an ELF file', behind('\x7fELF\x02\x01\x01\0', noise(500)), 'It begins as an ELF program or library does.'],
    ['a gzip', behind('\x1f\x8b\x08\0', noise(500)), 'It begins as gzip does.'],
    ['a text', file('ARCHITECTURE.md'), 'It is text from its first byte on.'],
    ['a program', file('scripts/check.ts'), 'It is text from its first byte on.'],
    ['JSON', file('package.json'), 'It is text from its first byte on.'],
    ['bytes without the end of a tag', latin1('\xde\xad\xbe\xef'), 'The first tag does not end'],
    ['noise', noise(5000), 'Reading stops at byte '],
    ['noise that begins like a field', behind('\x0a\xff\x7f', noise(5000)), 'as random data.'],
    ['noise that begins like several', behind('\x08\x01\x12\x01a\x1a\xff\x7f', noise(300)), 'as random data.'],
  ])('%s', async (_name, bytes, fact) => {
    const found = await judge(bytes);
    expect(found?.verdict).toBe('This does not look like protobuf.');
    expect(found?.facts.join(' ')).toContain(fact);
    expect(found?.facts[0]).toMatch(/^[\d,]+ of [\d,]+ bytes \([\d.]+\u00a0%\) belong to no field\.$/);
  });

  test('"almost all" is not shown as "all", and without findings nothing is reported', () => {
    const ledgers = { protobuf: { bytes: 100_000 } };
    const profile = { type: '', messages: 1, ledgers, unattributed: 99_999, fields: [] as readonly FieldProfile[] };
    expect(implausibilityOf(profile as unknown as Profile)).toEqual({
      verdict: 'Most of the bytes could not be read.',
      facts: ['99,999 of 100,000 bytes (>99.9\u00a0%) belong to no field.'],
    });
  });

  test('several messages: the message in which reading stopped', async () => {
    const found = await judge(noise(3000), file('ARCHITECTURE.md'));
    expect(found?.verdict).toBe('These do not look like protobuf.');
    expect(found?.facts.join(' ')).toMatch(/Reading stops at byte \d+ of message 0\. /);
  });
});

describe('bytes that look like protobuf', () => {
  test.each(['fixtures/input/codecfixture.rw1.binpb', 'fixtures/wire/truth/prometheus_codecfixture.rw1.binpb'])(
    '%s',
    async (name) => {
      expect(await judge(file(name))).toBeNull();
    },
  );

  test('a message that is cut inside its only text', async () => {
    const found = await judge(behind('\x12\xe8\x07', latin1('Not all that was said has come.')));
    expect(found).toEqual({
      verdict: 'This message is cut.',
      facts: [
        '31 of 34 bytes (91.2\u00a0%) belong to fields that do not end.',
        'Reading stops at byte 1. A length reaches beyond the end of the enclosing message.',
      ],
    });
  });

  test.each<[string, Uint8Array]>([
    ['a long text', behind('\x08\x01\x12\xff\x7f', new TextEncoder().encode('Schöne Grüße '.repeat(50)))],
    ['numbers of fixed size', behind('\x0a\xff\x7f', new Uint8Array(Float64Array.from(noise(300), Math.sqrt).buffer))],
    ['a few bytes of a field', behind('\x12\x40', noise(40))],
  ])('a message that is cut inside %s', async (_name, bytes) => {
    expect((await judge(bytes))?.verdict).toBe('This message is cut.');
  });

  test('two bytes of a tag', async () => {
    expect((await judge(latin1('\x82\x80')))?.verdict).toBe('This message is cut.');
  });

  test('one byte of a message', async () => {
    const found = await judge(latin1('\x08'));
    expect(found?.facts[0]).toBe('1 of 1 byte (100\u00a0%) belongs to fields that do not end.');
  });

  test('neither a valid message nor its beginning is implausible', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessages({ maxMessages: 1 }), fc.nat(), async ({ messages }, at) => {
        const whole = messages[0]!;
        expect(await judge(whole)).toBeNull();
        const found = await judge(whole.subarray(0, at % (whole.length + 1)));
        if (found?.facts.every((fact) => !/^(It|The first tag) /.test(fact)))
          expect(found.verdict).toBe('This message is cut.');
      }),
      { numRuns: 1000 },
    );
  });
});
