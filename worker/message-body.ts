/** A message's place → its payload. */
import type { Source } from '#engine/bytes/source.ts';
import type { BodyRef } from '#engine/frame/message.ts';
import { readBody } from '#engine/frame/read-body.ts';

/** A message's payload, which was read once before: that it cannot be read again is no finding. */
export async function bodyAt(source: Source, ref: BodyRef): Promise<Uint8Array> {
  const body = await readBody(source, ref);
  if (!body.ok) throw new Error(body.diagnostics[0]!.message);
  return body.value;
}
