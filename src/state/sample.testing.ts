import type { Sample } from './opening/shipped.ts';

/** Two messages of t.Item, each after its length. Tests give its files. */
export const sample: Sample = {
  id: 's',
  title: '',
  description: '',
  file: 's.binpb',
  bytes: 17,
  schemas: ['t.proto'],
  type: 't.Item',
  nativeProfile: 'opensearch-tuned',
};
