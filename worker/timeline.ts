/** Messages by time → captured bytes in bins of equal width, all of them and those of a scope. */
import type { GroupTypes, MessageScope, Timeline } from './input-api.ts';
import type { Control } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

const MAX_BINS = 2000;

export async function timelineOf(
  session: Session,
  { bins: wanted, scope, types }: { readonly bins: number; readonly scope: MessageScope; readonly types: GroupTypes },
  control: Control,
): Promise<Timeline | null> {
  const { messages } = opened(session);
  const { firstTime: from, lastTime } = messages;
  if (!(lastTime >= from)) return null;
  const bins = Math.max(1, Math.min(MAX_BINS, Math.floor(wanted)));
  // The last message is in the last bin, not after it.
  const to = lastTime + 1e-3;
  const column = () => new Float64Array(bins);
  const timeline = {
    from,
    to,
    requests: column(),
    responses: column(),
    chosenRequests: column(),
    chosenResponses: column(),
  };
  const enter = (ordinal: number, requests: Float64Array, responses: Float64Array): void => {
    const time = messages.timeAt(ordinal);
    if (Number.isNaN(time)) return;
    const bin = Math.min(bins - 1, Math.floor(((time - from) / (to - from)) * bins));
    const lane = messages.directionAt(ordinal) === 'response' ? responses : requests;
    lane[bin]! += messages.capturedSizeAt(ordinal) + messages.headerAt(ordinal);
  };
  for (let ordinal = 0; ordinal < messages.length; ordinal++) enter(ordinal, timeline.requests, timeline.responses);
  const chosen = await selectMessages(session, { ...scope, time: null }, types, control, true);
  for (const ordinal of chosen) enter(ordinal, timeline.chosenRequests, timeline.chosenResponses);
  return timeline;
}
