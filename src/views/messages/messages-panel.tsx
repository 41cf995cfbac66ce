/** The messages panel: groups, timeline and messages of a capture; only messages of a payload. */

import type { ReactNode } from 'react';
import { useApp } from '#state/context.tsx';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { firstOnly } from '#wording/read-messages.ts';
import { DroppedCaptures } from '../input/dropped-captures.tsx';
import { TimelineStrip } from '../timeline/timeline-strip.tsx';
import { GroupTree } from './group-tree.tsx';
import { MessageFilterBar } from './message-filter.tsx';
import { MessageList } from './message-list.tsx';

export function MessagesPanel(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const isBusy = useApp(({ session }) => session.job !== null);
  const hasFailed = useApp(({ session }) => session.failure !== null);
  if (summary === null) {
    return <p className="p-4 text-ink-muted">{isBusy ? 'Reading…' : MESSAGE_NOTES.stopped}</p>;
  }
  const isCapture = summary.kind === 'capture';
  return (
    <div className="messages-panel @container flex h-full min-h-0 flex-col">
      <DroppedCaptures />
      {!summary.complete && !isBusy && (
        <p className="border-b border-rule px-3 py-1">{firstOnly(summary.messages, hasFailed)}</p>
      )}
      <div className={`flex min-h-0 flex-1 ${isCapture ? 'flex-col @3xl:flex-row' : ''}`}>
        {isCapture && (
          <div className="max-h-[45%] min-h-0 shrink-0 border-b border-rule @3xl:max-h-none @3xl:w-[31%] @3xl:border-r @3xl:border-b-0">
            <GroupTree />
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <TimelineStrip />
          <MessageFilterBar />
          <div className="min-h-0 flex-1">
            <MessageList />
          </div>
        </div>
      </div>
    </div>
  );
}
