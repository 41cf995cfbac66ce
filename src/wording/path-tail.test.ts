import { expect, test } from 'vitest';
import { pathTail, shorten, shortenPath } from './path-tail.ts';

test.each([
  ['that fits', 'seq_no', 6, 'seq_no'],
  ['that is too long', 'primary_term', 6.9, 'prima…'],
  ['without room', 'seq_no', 0.5, 's…'],
  ['that is wide and fits', '注文', 4, '注文'],
  ['that is wide', '注文番号', 6, '注文…'],
  ['that is cut inside a picture', 'a😀😀', 4, 'a😀…'],
])('a name %s', (_, name, places, shown) => expect(shorten(name, places)).toBe(shown));

test.each([
  ['that fits', 19, 'kubernetes_pod_name', 'kubernetes_pod_name'],
  ['a little too long', 18.5, 'kubernetes_pod_name', 'kubernetes_po…name'],
  ['too long', 8, 'kubernetes_pod_name', 'kub…name'],
  ['with a cut end', 8, 'kubernetes_pod_namespace', 'ku…name…'],
  ['with hardly any room', 5, 'kubernetes_pod_name', 'ku…n…'],
  ['without room for both', 4, 'kubernetes_pod_name', 'kub…'],
])('a name that begins like another, %s', (_, places, name, shown) =>
  expect(shorten(name, places, 'kubernetes_pod_'.length)).toBe(shown),
);

test.each([
  ['one name', 'hits', 'hits'],
  ['two names', 'hits.id', 'hits.id'],
  ['three names', 'a.hits.id', '…hits.id'],
  ['an extension, whose name has dots', 'a.b.[x.y].id', '…[x.y].id'],
  ['two extensions', '[a.b.c].[x.y.z]', '[a.b.c].[x.y.z]'],
])('the tail of a path of %s', (_, path, tail) => expect(pathTail(path, '…')).toBe(tail));

test.each([
  ['that fits', 'hits.seq_no', 11, 'hits.seq_no'],
  ['that is too long', 'history.events.task_queue.name', 10, '…ueue.name'],
  ['of A and B', 'metadata → timeseries.metadata', 12, '…es.metadata'],
  ['in words', 'no field: container, framing', 10, 'no field:…'],
])('a path %s', (_, path, places, shown) => expect(shortenPath(path, places)).toBe(shown));
