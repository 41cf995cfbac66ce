/**
 * A capture → every message in it, and the ledger of the whole file. The whole pipeline of a capture:
 *
 *   chunks ─▶ packets ─▶ segments ─▶ connections ─▶ transport ─▶ drafts ─▶ messages
 *   └ read-lane.ts ────────────────────────────────────────────────────────────────┘
 *
 * Several readers may share a capture, each with some of its connections (analysis/workers/shared-reading.ts). Here, one reads
 * all.
 */
import type { Source } from '../bytes/source.ts';
import { ONLY_LANE } from '../stream/connections.ts';
import type { CaptureFacts, CaptureOptions } from './capture-facts.ts';
import { joinLanes } from './join-lanes.ts';
import type { MessageSink } from './message.ts';
import { readLane } from './read-lane.ts';

/**
 * @param source the uncompressed capture; use `openCapture` to unzip
 * @param sink called once per message, in the order in which they become complete
 * @throws AbortError when the signal is set between chunks
 */
export async function readCapture(
  source: Source,
  sink: MessageSink,
  options: CaptureOptions = {},
): Promise<CaptureFacts> {
  return joinLanes([await readLane(source, sink, { ...options, lane: ONLY_LANE })], source.size);
}
