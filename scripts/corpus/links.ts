/** Links of large recorded inputs that carry the figures alone: each opens again, and is short enough for most software. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decodeFragment, encodeFragment } from '#permalink/fragment.ts';
import { MEASURE_OPTIONS, measure } from '../../src/cli/measure/measure.ts';
import { reportSubject, sharedOf } from '../../src/cli/measure/subject.ts';
import { parseOptions } from '../../src/cli/options/arguments.ts';
import { PROTOBUF, totalIn } from '../../src/engine/cost/profile.ts';
import { type Check, Differences, type Finding, PROJECT } from './check.ts';

/** Characters of a fragment that work in most software. */
const LIMIT = 8000;

/** Path in the corpus, and the options that a person would give. */
const INPUTS: readonly (readonly [string, readonly string[]])[] = [
  ['opensearch/plain/captures/30-term-10000-one-shard.pcap', []],
  ['opensearch/plain/captures/31-term-10000-fetch.pcapng', []],
  ['prometheus/bench-100inst.rw1.snappy', ['-s', 'prometheus/remote-write-1.proto', '-t', 'prometheus.WriteRequest']],
  [
    'prometheus/bench-100inst.rw2.snappy',
    ['-s', 'prometheus/remote-write-2.proto', '-t', 'io.prometheus.write.v2.Request'],
  ],
];

export const links: Check = {
  id: 'links',
  title: `figures of large inputs in links of at most ${LIMIT.toLocaleString('en')} characters`,
  run: measureLinks,
};

async function* measureLinks(folder: string): AsyncGenerator<Finding> {
  for (const [path, given] of INPUTS) {
    const options = given.map((option) => (option.endsWith('.proto') ? join(PROJECT, 'schemas', option) : option));
    const parsed = parseOptions([join(folder, path), ...options], MEASURE_OPTIONS);
    const measured = await measure(parsed);
    for (const profile of measured.profiles) {
      const differences = new Differences();
      const subject = await reportSubject(profile, measured, parsed, { date: '2026-11-21', isShowingBytes: false });
      const shared = sharedOf(subject, measured);
      const link = encodeFragment(shared)!;
      const opened = await decodeFragment(link);
      if (!opened.ok) differences.add('it does not open');
      else if (!isDeepStrictEqual(opened.value, shared)) differences.add('what opens is not what was shared');
      if (link.length > LIMIT) differences.add(`${link.length} characters`);
      const name = `${path}: ${profile.type === '' ? 'without a schema' : profile.type}, ${profile.messages} messages of ${totalIn(profile, PROTOBUF)} bytes`;
      yield { name, differences: differences.list, measured: `${link.length} characters` };
    }
  }
}
