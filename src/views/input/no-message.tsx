/** Replaces the analysis of an input without messages: what the input is, what to do next, and the samples. */

import type { ReactNode } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { InputSummary } from '#state/session-state.ts';
import { INPUT_NOTES, noneInFraming } from '#wording/input-notes.ts';
import { emptyCaptureWords, type NoMessage, noMessageWords } from '#wording/no-message-words.ts';
import { SampleCards, type Samples } from '../home/sample-cards.tsx';
import { Steps } from '../trail/trail.tsx';
import { OpenBox } from './open-box.tsx';
import { UnreadTraffic } from './unread-traffic.tsx';

export function NoMessagePane(samples: Samples): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const isChosen = useApp(({ session }) => session.input?.steps !== undefined);
  const { overruleReading, showPanel } = useActions();
  if (summary === null) return null;
  const words = wordsOf(summary);
  return (
    <section aria-labelledby="verdict" className="h-full overflow-auto">
      <div className="mx-auto max-w-2xl px-4 pt-[min(6rem,8vh)] pb-6">
        <h1 id="verdict" className="text-lg leading-7 font-semibold text-balance">
          {words.says}
        </h1>
        <p className="mt-1">{words.next}</p>
        {isChosen && summary.kind === 'payloads' && (
          <div className="trail mt-3">
            <Steps summary={summary} />
          </div>
        )}
        <div className="mt-3 mb-5 flex flex-wrap gap-2">
          {summary.kind === 'capture' ? (
            <button type="button" className="control control-framed" onClick={() => showPanel('layers')}>
              {INPUT_NOTES.layers}
            </button>
          ) : (
            <button
              type="button"
              className="control control-framed"
              onClick={() => void overruleReading({ framing: 'single' })}
            >
              {INPUT_NOTES.asOne}
            </button>
          )}
        </div>
        <UnreadTraffic saysHowToRead={false} />
        <h2 className="panel-title mb-2">Open another</h2>
        <OpenBox />
        <h2 className="panel-title mt-5 mb-2">Real captures</h2>
        <SampleCards {...samples} />
      </div>
    </section>
  );
}

function wordsOf(summary: InputSummary): NoMessage {
  if (summary.kind === 'capture') return emptyCaptureWords(summary.name, summary);
  if (summary.content !== null) return noMessageWords(summary.name, summary.content, summary.diagnostics);
  return { says: noneInFraming(summary.name), next: INPUT_NOTES.otherFraming };
}
