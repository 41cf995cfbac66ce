import { expect, test } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { TypeClassifier } from '../evidence/classify-type.ts';
import { planGroup } from './plan-group.ts';

const { registry } = compileSchema([
  {
    path: 'store.proto',
    content: `syntax = "proto3"; package t;
      message Header { fixed64 cluster = 1; fixed64 member = 2; double time = 3; double lag = 4; string host = 5; }
      message Put { Header header = 1; string before = 2; }
      message Change { Header header = 1; fixed64 id = 3; double at = 4; double took = 5; string key = 6; }`,
  },
]);

/** A header, and what follows it. Put and Change both read it if nothing does. */
const message = (rest: string): Uint8Array =>
  Buffer.from(`0a2809010000000000000011020000000000000019000065c065af83412100006540fe79d9412a026131${rest}`, 'hex');
const CHANGE = message('1903000000000000002100006540fe79d94129000065c065af83413203612f62');
const PUT = message('');

test.each<[string, string | null, readonly Uint8Array[], string | null, string]>([
  ['of a method have the type that they show together', '/t.Store/Watch', [CHANGE, PUT], 't.Change', 'asserted'],
  ['without a method may be of several types', null, [CHANGE, PUT], null, 'unproven'],
  ['without a method have the type that each of them shows', null, [CHANGE, CHANGE], 't.Change', 'asserted'],
  ['that are empty show none', null, [CHANGE, new Uint8Array()], 't.Change', 'asserted'],
])('messages %s', (_, method, messages, type, why) => {
  const sources = [{ registry }];
  const classifier = new TypeClassifier(sources);
  for (const one of messages) classifier.sample.add(one);
  const group = { named: undefined, format: undefined, typeHint: null, method };
  expect(planGroup(classifier, group, sources)).toMatchObject({ type, why });
});
