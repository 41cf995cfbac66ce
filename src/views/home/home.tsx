/**
 * The page before an input is open: what Wirecost is, how to open an input, an interactive example, and the samples.
 */

import { HOME_NOTES } from '#wording/home-notes.ts';
import './home.css';
import { type ReactNode, Suspense } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { CaptureSample, Sample } from '#state/shipped.ts';
import { formatBytes, formatPercent } from '#wording/number-text.ts';
import { OpenBox } from '../input/open-box.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { OneFieldTwice } from './one-field-twice.tsx';

const KeptInputs = lazyPart(async () => (await import('../input/kept-inputs.tsx')).KeptInputsPanel);
const Example = lazyPart<{ readonly sample: Sample }>(async () => (await import('./example.tsx')).Example);

export function Home({
  captures,
  samples,
}: {
  readonly captures: readonly CaptureSample[];
  readonly samples: readonly Sample[];
}): ReactNode {
  const { openCaptureSample, openSample, openSamplePair, showPanel } = useActions();
  const schemaFiles = useApp(({ session }) => session.schemaFiles);
  const example = samples.find(({ id }) => id === 'otlp-traces');
  const [before, after] = ['prometheus-remote-write-1', 'prometheus-remote-write-2'].map((id) =>
    samples.find((sample) => sample.id === id),
  );
  return (
    <div className="home">
      <section aria-labelledby="about" className="flex flex-col gap-6">
        <div>
          <h1 id="about" className="text-3xl font-semibold tracking-tight text-balance">
            {HOME_NOTES.question}
          </h1>
          <p className="mt-4 text-base text-ink-muted">{HOME_NOTES.drop}</p>
        </div>
        <section aria-label="Your own" className="home-drop">
          <OpenBox rows={3} />
          {schemaFiles.length > 0 && (
            <p className="mt-2">
              <button type="button" className="text-accent underline" onClick={() => showPanel('schema')}>
                {schemaFiles.length === 1 ? 'One schema file is' : `${schemaFiles.length} schema files are`} loaded
              </button>
              {HOME_NOTES.nextMessage}
            </p>
          )}
        </section>
        <p className="text-ink-muted">{HOME_NOTES.local}</p>
      </section>
      <div className="home-place">
        {example && (
          <Suspense fallback={null}>
            <Example sample={example} />
          </Suspense>
        )}
      </div>
      <section aria-labelledby="samples" className="home-wide">
        <h2 id="samples" className="pb-3 text-base font-semibold">
          Real captures
        </h2>
        <ul className="home-cards">
          {samples.slice(0, 1).map((sample) => (
            <Card key={sample.id} {...sample} note={formatBytes(sample.bytes)} open={() => void openSample(sample)} />
          ))}
          {captures.map((capture) => (
            <Card
              key={capture.id}
              {...capture}
              note={formatBytes(capture.bytes)}
              open={() => void openCaptureSample(capture)}
            />
          ))}
          {before && after && (
            <Card
              title={HOME_NOTES.samplePair}
              description={after.description}
              note={`${formatPercent(after.bytes / before.bytes)} of ${formatBytes(before.bytes)}`}
              open={() => void openSamplePair(before, after)}
            />
          )}
          {samples.slice(1).map((sample) => (
            <Card key={sample.id} {...sample} note={formatBytes(sample.bytes)} open={() => void openSample(sample)} />
          ))}
        </ul>
      </section>
      <div className="home-wide grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
        <section aria-labelledby="twice" className="lg:col-span-2">
          <h2 id="twice" className="pb-3 text-base font-semibold">
            {HOME_NOTES.sampleTwice}
          </h2>
          <OneFieldTwice />
        </section>
        <Suspense fallback={null}>
          <KeptInputs />
        </Suspense>
      </div>
    </div>
  );
}

/** `System: question`, and what the capture is. */
function Card({
  title,
  description,
  note,
  open,
}: {
  readonly title: string;
  readonly description: string;
  readonly note: string;
  readonly open: () => void;
}): ReactNode {
  const [system, question] = [title.slice(0, title.indexOf(':')), title.slice(title.indexOf(':') + 1).trim()];
  return (
    <li>
      <button type="button" className="home-card" title={description} onClick={open}>
        <span>{system}</span> <span>{question}</span> <span>{note}</span>
      </button>
    </li>
  );
}
