/** The page before anything is open: what this is, what it shows, and real examples one click away. */
import { type ReactNode, Suspense } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import type { CaptureSample, Sample } from '#state/shipped.ts';
import { formatBytes } from '#wording/number-text.ts';
import { OpenBox } from '../input/open-box.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { OneFieldTwice } from './one-field-twice.tsx';

const KeptInputs = lazyPart(async () => (await import('../input/kept-inputs.tsx')).KeptInputs);

export function Home({
  captures,
  samples,
}: {
  readonly captures: readonly CaptureSample[];
  readonly samples: readonly Sample[];
}): ReactNode {
  const { openCaptureSample, openSample, showPanel } = useActions();
  const schemaFiles = useApp(({ session }) => session.schemaFiles);
  return (
    <div className="mx-auto grid max-w-6xl gap-x-14 gap-y-8 px-5 pt-8 pb-12 sm:px-8 sm:pt-12 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <section aria-labelledby="about" className="lg:col-span-2">
        <h1
          id="about"
          className="max-w-3xl text-2xl leading-9 font-semibold tracking-tight text-balance sm:text-3xl sm:leading-10"
        >
          What every field of a message costs on the wire, in protobuf and in native sequential encoding.
        </h1>
        <p className="mt-3 max-w-2xl text-sm text-ink-muted">
          Open a packet capture, or a message alone, with its schema or without. Every byte is counted once and shown
          for what it is. All of it happens in this browser; nothing is sent anywhere.
        </p>
      </section>
      <section aria-labelledby="samples" className="min-w-0">
        <h2 id="samples" className="panel-title border-b border-rule-strong pb-1.5">
          Real captures, one click away
        </h2>
        <ul>
          {samples.slice(0, 1).map((sample) => (
            <Entry key={sample.id} sample={sample} open={() => void openSample(sample)} />
          ))}
          {captures.map((capture) => (
            <Entry key={capture.id} sample={capture} open={() => void openCaptureSample(capture)} />
          ))}
          {samples.slice(1).map((sample) => (
            <Entry key={sample.id} sample={sample} open={() => void openSample(sample)} />
          ))}
        </ul>
      </section>
      <div className="flex min-w-0 flex-col gap-8">
        <section aria-labelledby="open">
          <h2 id="open" className="panel-title mb-2 border-b border-rule-strong pb-1.5">
            Your own
          </h2>
          <OpenBox rows={5} />
          {schemaFiles.length > 0 && (
            <p className="mt-2">
              <button type="button" className="text-accent underline" onClick={() => showPanel('schema')}>
                {schemaFiles.length === 1 ? 'One schema file is' : `${schemaFiles.length} schema files are`} loaded
              </button>
              ; now a message.
            </p>
          )}
        </section>
        <Suspense fallback={null}>
          <KeptInputs />
        </Suspense>
        <section aria-labelledby="twice">
          <h2 id="twice" className="panel-title mb-2 border-b border-rule-strong pb-1.5">
            The same value, twice
          </h2>
          <OneFieldTwice />
        </section>
      </div>
    </div>
  );
}

function Entry({ sample, open }: { readonly sample: CaptureSample; readonly open: () => void }): ReactNode {
  const { title, bytes, description } = sample;
  return (
    <li className="border-b border-rule">
      <button
        type="button"
        className="group grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-2 py-2.5 text-left hover:bg-hover"
        onClick={open}
      >
        <span className="text-sm font-semibold text-accent group-hover:underline">{title}</span>
        <span className="text-ink-muted">{formatBytes(bytes)}</span>
        <span className="col-span-2 max-w-2xl text-ink-muted">{description}</span>
      </button>
    </li>
  );
}
