/** Kafka's requests, responses and records: those that the project keeps, and FOLDER/kafka/*.tsv as generate.sh writes them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, Finding } from './check.ts';
import { compareKafka, compareRecords, keptKafkaTruth, readKafkaTruth } from './kafka-truth.ts';
import { bundledRegistry } from './native-truth.ts';

export const kafka: Check = {
  id: 'kafka',
  title: 'Kafka’s requests, responses and records: every call of the library, and its values',
  async *run(folder): AsyncGenerator<Finding> {
    const registry = await bundledRegistry();
    const own = join(folder, 'kafka');
    const files = existsSync(own) ? readdirSync(own).filter((name) => name.endsWith('.tsv')) : [];
    const sets = [keptKafkaTruth(), ...files.map((name) => readKafkaTruth(readFileSync(join(own, name), 'utf8')))];
    for (const { instances, records } of sets) {
      for (const instance of instances) {
        const difference = compareKafka(registry, instance);
        yield {
          name: `${instance.name} ${instance.version}`,
          differences: difference === undefined ? [] : [difference],
        };
      }
      for (const set of records) {
        const difference = compareRecords(registry, set);
        yield { name: 'records', differences: difference === undefined ? [] : [difference] };
      }
    }
  },
};
