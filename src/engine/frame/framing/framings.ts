/**
 * Every framing that payload bytes may have. To add a framing, write its file and list it here. If scores are equal,
 * the first one wins.
 */
import { type Candidate, rank } from '../../capture/text/text-encoding.ts';
import { needed } from '../../model/needed-file.ts';
import { grpcBody } from '../transport/grpc-body.ts';
import { ACTIONS } from './actions.ts';
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
  ...ACTIONS,
  json,
  txtpb,
  native,
  noMessage,
];

/** Whether it is the id of a framing. Any other text describes one. */
export const isFramingId = (id: string): boolean => FRAMINGS.some((framing) => framing.id === id);

/** A framing by its id, or by its description (described-fields.ts); a sentence: it is neither. */
export async function framingOf(id: string): Promise<Framing | string> {
  const known = FRAMINGS.find((framing) => framing.id === id);
  if (known !== undefined) return known;
  const { describedFraming } = await needed(() => import('./described.ts'));
  return describedFraming(id);
}

/** Every framing with its score for bytes that begin with `head`, best first. */
export const judgeFramings = (head: Uint8Array, size: number, name = ''): readonly Candidate[] =>
  rank(FRAMINGS.map((framing) => ({ id: framing.id, label: framing.label, ...framing.sniff(head, size, name) })));
