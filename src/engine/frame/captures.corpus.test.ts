/** Every recorded capture against what others say it holds. Runs where WIRECOST_CORPUS names the folder of the recordings. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/packets-layers.ts';
import { decodeSnappy } from '../compression/snappy.ts';
import { HpackDecoder } from './hpack.ts';
import type { Message } from './message.ts';
import { type CaptureFacts, readCapture } from './read-capture.ts';

const CORPUS = process.env['WIRECOST_CORPUS'] ?? '';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

type Found = Message & { readonly sha256: string };

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function find(path: string): Promise<{ facts: CaptureFacts; messages: Found[]; size: number }> {
  const bytes = new Uint8Array(readFileSync(path));
  const messages: Found[] = [];
  const facts = await readCapture(bytesSource(path, bytes), (message, payload) =>
    messages.push({ ...message, sha256: sha256(payload) }),
  );
  return { facts, messages, size: bytes.length };
}

interface ManifestRow {
  readonly capture: string;
  readonly kind: 'request' | 'response' | 'error';
  readonly action: string;
  readonly requestId: string;
  readonly local: boolean;
  readonly nativeBytes?: number;
  readonly sha256?: string;
}

/** Takes each expected message out of the found ones, once. @returns those that are not there */
function missing<T>(expected: readonly T[], found: readonly Found[], same: (row: T, message: Found) => boolean): T[] {
  const left = [...found];
  return expected.filter((row) => {
    const index = left.findIndex((message) => same(row, message));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Each capture of the recordings, with what it must yield. */
export async function checkCaptures(folder: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const check = (name: string, facts: CaptureFacts, size: number, faults: readonly string[]): void => {
    const all = sumLayers(facts.layers) === size ? faults : [...faults, 'the layers do not sum to the file'];
    checks.push({ name, ok: all.length === 0, detail: all.join('; ') || `${facts.messages} messages` });
  };

  const listed = JSON.parse(readFileSync(join(folder, 'captures.json'), 'utf8')) as Record<
    string,
    {
      readonly messages: readonly {
        readonly type: string;
        readonly protobuf_bytes: number;
        readonly sha256: string;
        readonly wire_body_bytes?: number;
      }[];
    }
  >;
  for (const [name, { messages: expected }] of Object.entries(listed)) {
    const { facts, messages, size } = await find(join(folder, name));
    const lost = missing(
      expected,
      messages,
      (row, message) =>
        row.sha256 === message.sha256 &&
        row.protobuf_bytes === message.bytes &&
        (row.wire_body_bytes === undefined || row.wire_body_bytes === message.wireBytes) &&
        (message.transport === 'grpc' || message.typeHint?.endsWith(row.type) === true),
    );
    const strays = facts.layers.unattributed + facts.layers.incomplete;
    check(name, facts, size, [
      ...lost.map(({ type }) => `missing ${type}`),
      ...(strays > 0 ? [`${strays} bytes unexplained`] : []),
    ]);
  }

  for (const form of ['plain', 'deflate']) {
    const captures = join(folder, 'opensearch', form, 'captures');
    const manifest = readFileSync(join(folder, 'opensearch', form, 'objects', 'manifest.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ManifestRow);
    for (const name of readdirSync(captures)) {
      const { facts, messages, size } = await find(join(captures, name));
      const expected = manifest.filter((row) => row.capture === name && !row.local);
      const lost = missing(
        expected,
        messages,
        (row, message) =>
          row.requestId === message.context?.['requestId'] &&
          row.action === message.method &&
          (row.kind === 'request') === (message.direction === 'request') &&
          (row.kind === 'error') === (message.status === 'error') &&
          (row.sha256 === undefined || (row.sha256 === message.sha256 && row.nativeBytes === message.bytes)),
      );
      const strays = facts.layers.unattributed + facts.layers.incomplete;
      check(`opensearch/${form}/${name}`, facts, size, [
        ...lost.map(({ action, requestId }) => `missing ${action} ${requestId}`),
        ...(strays > 0 ? [`${strays} bytes unexplained`] : []),
      ]);
    }
  }

  const damaged = join(folder, 'opensearch', 'damaged');
  const sound = await find(join(folder, 'opensearch/plain/captures/12-term-1000.pcapng'));
  for (const name of readdirSync(damaged)) {
    const { facts, messages, size } = await find(join(damaged, name));
    const wrong = missing(
      messages,
      sound.messages,
      (row, message) => row.sha256 === message.sha256 && row.flow === message.flow && row.method === message.method,
    );
    check(`opensearch/damaged/${name}`, facts, size, [
      ...wrong.map(({ ordinal }) => `message ${ordinal} is not in the sound capture`),
      ...(messages.length === 0 ? ['no message'] : []),
      ...(facts.diagnostics.length === 0 ? ['no diagnostic'] : []),
    ]);
  }
  return checks;
}

describe.runIf(existsSync(CORPUS))('recordings', () => {
  test('every capture yields what it holds', async () => {
    const checks = await checkCaptures(CORPUS);
    expect(checks.length).toBeGreaterThan(50);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  }, 60_000);

  const stories = existsSync(CORPUS)
    ? readdirSync(join(CORPUS, 'vectors/hpack')).flatMap((writer) =>
        readdirSync(join(CORPUS, 'vectors/hpack', writer)).map((story) => `${writer}/${story}`),
      )
    : [];
  test.each(stories)('HPACK %s', (story) => {
    const { cases } = JSON.parse(readFileSync(join(CORPUS, 'vectors/hpack', story), 'utf8')) as {
      readonly cases: readonly { readonly wire: string; readonly headers: readonly Record<string, string>[] }[];
    };
    const decoder = new HpackDecoder();
    for (const { wire, headers } of cases) {
      const { headers: decoded, sound } = decoder.decode(new Uint8Array(Buffer.from(wire, 'hex')));
      expect(sound).toBe(true);
      const text = decoded.map(({ name, value }) => ({ [name ?? '']: Buffer.from(value ?? '', 'latin1').toString() }));
      expect(text).toEqual(headers);
    }
  });

  test.each(['baddata1.snappy', 'baddata2.snappy', 'baddata3.snappy'])('%s is refused', (name) => {
    const bytes = new Uint8Array(readFileSync(join(CORPUS, 'vectors/snappy', name)));
    expect(decodeSnappy(bytes, 1e9).ok).toBe(false);
  });

  test.each(['basic', 'advanced', 'difficult'])('pcapng vectors, %s: every packet block is a packet', async (kind) => {
    const folder = join(CORPUS, 'vectors/pcapng-test-generator/output_le', kind);
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.pcapng'))) {
      const text = readFileSync(join(folder, name.replace('.pcapng', '.txt')), 'utf8');
      const counts = [...text.matchAll(/^\t(EPB|SPB|PB|OPB): (\d+)$/gm)];
      const { facts, size } = await find(join(folder, name));
      expect([name, facts.packets]).toEqual([name, counts.reduce((sum, [, , count]) => sum + Number(count), 0)]);
      expect(sumLayers(facts.layers)).toBe(size);
      expect([name, facts.layers.unattributed, facts.diagnostics.map(({ code }) => code)]).toEqual([name, 0, []]);
    }
  });
});
