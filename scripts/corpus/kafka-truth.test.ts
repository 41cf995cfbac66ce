/** Requests, responses and records written by kafka-clients itself (fixtures/native/kafka-truth.tsv.br). */
import { expect, test } from 'vitest';
import { compareKafka, compareRecords, keptKafkaTruth } from './kafka-truth.ts';
import { bundledRegistry } from './native-truth.ts';

const registry = await bundledRegistry();
const { instances, records } = keptKafkaTruth();

test('every request and response, in every version, is read as it was written', () => {
  const differences = instances.map((instance) => {
    const difference = compareKafka(registry, instance);
    return difference && `${instance.name} ${instance.version}: ${difference}`;
  });
  expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
  expect(new Set(instances.map(({ name }) => name)).size).toBe(192);
  expect(instances.length).toBeGreaterThan(600);
});

test('records are read as the library reads them', () => {
  expect(records.map((one) => compareRecords(registry, one)).filter((one) => one !== undefined)).toEqual([]);
  expect(records).toHaveLength(20);
});
