/**
 * Every framing that payload bytes may have. To add a framing, write its file and list it here. If scores are equal,
 * the first one wins.
 */
import { type Candidate, rank } from '../../capture/text/text-encoding.ts';
import { grpcBody } from '../transport/grpc-body.ts';
import { CONFLUENT } from './confluent.ts';
import type { Framing } from './framing.ts';
import { json } from './json.ts';
import { native } from './native.ts';
import { noMessage } from './no-message.ts';
import { osmPbf } from './osm-pbf.ts';
import { single } from './single.ts';
import { SIZE_PREFIXED } from './size-prefixed.ts';
import { tfrecord } from './tfrecord.ts';
import { txtpb } from './txtpb.ts';

export const FRAMINGS: readonly Framing[] = [
  single,
  grpcBody,
  ...SIZE_PREFIXED,
  ...CONFLUENT,
  tfrecord,
  osmPbf,
  json,
  txtpb,
  native,
  noMessage,
];

/** Every framing with its score for bytes that begin with `head`, best first. */
export const judgeFramings = (head: Uint8Array, size: number, name = ''): readonly Candidate[] =>
  rank(FRAMINGS.map((framing) => ({ id: framing.id, label: framing.label, ...framing.sniff(head, size, name) })));
