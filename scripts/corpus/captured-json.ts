/** JSON that was captured: all of its bytes are in the ledger, and the protobuf made of it is that of the same events. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyze } from '../../src/engine/analysis/analyze.ts';
import { bytesSource } from '../../src/engine/bytes/source.ts';
import { bytesIn, PROTOBUF, totalIn } from '../../src/engine/cost/profile.ts';
import { readMessageValue } from '../../src/engine/encodings/message-value.ts';
import { readJson } from '../../src/engine/encodings/read-json/read-json.ts';
import { writeProtobuf } from '../../src/engine/encodings/write-protobuf.ts';
import { readFramed } from '../../src/engine/frame/payload.ts';
import { compileSchema } from '../../src/engine/schema/compile.ts';
import type { MessageDescriptor } from '../../src/engine/schema/descriptor.ts';
import { annotate } from '../../src/engine/wire/annotate.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

const TYPE = 'elastic.apm.v1.APMEvent';
const SOURCES = ['fullevent', 'heavy', 'metricsets', 'spans', 'transactions_spans'];

export const capturedJson: Check = {
  id: 'captured-json',
  title: 'JSON as captured, and the protobuf that it would be',
  run: checkFiles,
};

async function* checkFiles(folder: string): AsyncGenerator<Finding> {
  const content = await readFile(join(PROJECT, 'schemas/elastic/apm.proto'), 'utf8');
  const { registry } = compileSchema([{ path: 'apm.proto', content }]);
  const type = registry.messages.get(TYPE)!;
  for (const source of SOURCES) {
    const delimited = await readBytes(folder, 'apm', `apm-${source}.delim.binpb`);
    const events = await messagesOf(delimited, 'varint', (bytes) => canonical(bytes, type));
    for (const kind of ['protojson', 'codec', 'document']) {
      const name = `apm/apm-${source}.${kind}.ndjson`;
      const differences = new Differences();
      const bytes = await readBytes(folder, name);
      const { profiles, input } = await analyze(bytesSource(name, bytes), {}, { registry });
      const [profile] = profiles;
      const entered = profile?.fields.reduce((total, field) => total + bytesIn(field, profile.pair[1]), 0) ?? 0;
      const framing = input.kind === 'payloads' ? input.framingBytes : 0;
      differences.expect('bytes in the ledger and between messages', entered + framing, bytes.length);
      // Documents have names of their own.
      differences.expect('type', profile?.type, kind === 'document' ? '' : TYPE);
      if (kind !== 'document') {
        const ours = await messagesOf(bytes, 'json', (text) => hexOf(readJson(text, type).protobuf));
        differences.expect('messages', ours.length, events.length);
        const other = ours.filter((hex, at) => hex !== events[at]).length;
        differences.expect('messages with other protobuf', other, 0);
      }
      const measured = `JSON ${profile && totalIn(profile, profile.pair[1])}, protobuf ${profile && totalIn(profile, PROTOBUF)}`;
      yield { name, differences: differences.list, measured };
    }
  }
}

async function messagesOf(bytes: Uint8Array, framing: string, read: (payload: Uint8Array) => string) {
  const messages: string[] = [];
  await readFramed(bytesSource('messages', bytes), { framing }, (_, payload) => messages.push(read(payload)));
  return messages;
}

const canonical = (bytes: Uint8Array, type: MessageDescriptor): string =>
  hexOf(writeProtobuf(readMessageValue(bytes, annotate(bytes, type).table, type).value));

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
