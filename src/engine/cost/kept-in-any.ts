/**
 * A profile → the bytes of messages in an Any that are protobuf in both encodings of its pair, because the second one
 * keeps the value of an Any as bytes. They decide nothing between the two.
 */

import { ANY } from '../schema/names.ts';
import { bytesIn, cellsIn, PROTOBUF, type Profile } from './profile.ts';

export function keptInAny({ type, fields, pair: [first, second] }: Profile): number {
  if (second === null || first !== PROTOBUF) return 0;
  /** Paths of each Any, of the messages in them, and of all that is in these. */
  const [anys, held] = [new Set(type === ANY ? [''] : []), new Set<string>()];
  let kept = 0;
  for (const field of fields) {
    const { path, parent, name, declared } = field;
    if (declared?.type === ANY) anys.add(path);
    if (anys.has(parent) && name.startsWith('[')) held.add(path);
    if (!held.has(parent)) continue;
    held.add(path);
    // JSON and text format write the message out, with a key for each field.
    if ((cellsIn(field, second).key ?? 0) > 0) return 0;
    // A native side has nothing of a value that a later one replaces.
    if (bytesIn(field, second) > 0) kept += bytesIn(field, PROTOBUF);
  }
  return kept;
}
