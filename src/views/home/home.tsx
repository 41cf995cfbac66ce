/**
 * The page before an input is open: what Wirecost is, how to open an input, an interactive example, and the samples.
 */

import { HOME_NOTES, loadedSchema } from '#wording/home-notes.ts';
import './home.css';
import { type ReactNode, Suspense } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { Sample } from '#state/opening/shipped.ts';
import { OpenBox } from '../input/open-box.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { SampleCards, type Samples } from './sample-cards.tsx';

const KeptInputs = lazyPart(async () => (await import('../input/kept-inputs.tsx')).KeptInputsPanel);
const OneFieldTwice = lazyPart(async () => (await import('./one-field-twice.tsx')).OneFieldTwice);
const Example = lazyPart<{ readonly sample: Sample }>(async () => (await import('./example.tsx')).Example);

const NONE: readonly never[] = [];

export function Home({ captures, samples }: Samples): ReactNode {
  const { showPanel, openSchemaFile } = useActions();
  const schemaFiles = useApp(({ session }) => session.schemaFiles);
  const diagnostics = useApp(({ session }) => session.schema?.diagnostics) ?? NONE;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [link, next] = loadedSchema(schemaFiles.length, errors.length);
  const openSchema = () => {
    const file = errors.find((error) => error.file !== undefined)?.file;
    if (file !== undefined) void openSchemaFile(file);
    showPanel('schema');
  };
  const example = samples.find(({ id }) => id === 'otlp-traces');
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
              <button type="button" className="text-accent underline" onClick={openSchema}>
                {link}
              </button>
              {next}
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
        <SampleCards captures={captures} samples={samples} />
      </section>
      <div className="home-wide grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
        <section aria-labelledby="twice" className="lg:col-span-2">
          <h2 id="twice" className="pb-3 text-base font-semibold">
            {HOME_NOTES.sampleTwice}
          </h2>
          <Suspense fallback={null}>
            <OneFieldTwice />
          </Suspense>
        </section>
        <Suspense fallback={null}>
          <KeptInputs />
        </Suspense>
      </div>
    </div>
  );
}
