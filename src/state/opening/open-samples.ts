/** Opens what ships with the app: a payload, a capture, or two payloads as A and B. */

import { APP_FAULT, MISSING_PART } from '#wording/failure-words.ts';
import { FETCHING_SAMPLE, failedTitle } from '#wording/progress-notes.ts';
import { samplePlace } from '../addresses/local-place.ts';
import { MissingPart } from '../load-part.ts';
import type { createPipeline } from '../pipeline.ts';
import type { KeptSide, OpenInput } from '../session-state.ts';
import { settersOf } from '../setters.ts';
import type { AppStore } from '../store.ts';
import { initialView, type ViewState } from '../view-state.ts';
import type { InputOpener } from './replace-input.ts';
import type { CaptureSample, Sample, Shipped } from './shipped.ts';

interface Needs {
  readonly store: AppStore;
  readonly shipped: Shipped;
  readonly pipeline: ReturnType<typeof createPipeline>;
  readonly inputs: InputOpener;
}

export function createSampleOpener({ store, shipped, pipeline, inputs }: Needs) {
  const { set, setSession } = settersOf(store);
  const { begin, during, rerun } = pipeline;

  /** Fetches files of the app, and opens them. */
  async function fetchSample<T>(
    fetching: () => Promise<T>,
    open: (fetched: T, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const signal = begin();
    setSession({ ...inputs.blank(), job: { label: FETCHING_SAMPLE, since: Date.now(), progress: null } });
    let fetched: T;
    try {
      fetched = await during(signal, fetching());
    } catch (error) {
      if (signal.aborted) return;
      const isMissing = error instanceof MissingPart;
      return inputs.giveUp(
        isMissing ? MISSING_PART : { title: failedTitle(FETCHING_SAMPLE), detail: String(error), remedy: APP_FAULT },
      );
    }
    if (!signal.aborted) await open(fetched, signal);
  }

  /** @param view its last view; null: it is opened for the first time, with what its address says */
  const openSample = (
    sample: Sample,
    view: ViewState | null = null,
    said: Partial<ViewState> = {},
    place = samplePlace(sample.id),
    baseline: KeptSide | null = null,
  ): Promise<void> =>
    fetchSample(
      () => Promise.all([shipped.sampleBytes(sample.file), shipped.schemaFiles(sample.schemas)]),
      ([data, files]) => {
        const origin = { kind: 'sample', id: sample.id, schemaFiles: files } as const;
        const reading = { textEncoding: undefined, framing: undefined };
        const input: OpenInput = { name: sample.file, data, ...reading, place, file: null, origin };
        const first = { ...initialView(sample.nativeProfile), type: sample.type, ...said };
        set({
          session: { schemaFiles: files, openFile: sample.schemas[0] ?? null, input, baseline },
          view: view ?? first,
        });
        return rerun('open', view !== null);
      },
    );

  const openCaptureSample = (
    { id, file }: CaptureSample,
    view: ViewState | null = null,
    said: Partial<ViewState> = {},
  ): Promise<void> =>
    fetchSample(
      () => shipped.sampleBytes(file),
      (data) => inputs.openInput(file, data, samplePlace(id), view, undefined, said),
    );

  return {
    openSample,
    openCaptureSample,

    openSamplePair: (a: Sample, b: Sample): Promise<void> =>
      fetchSample(
        () => Promise.all([shipped.sampleBytes(a.file), shipped.sampleBytes(b.file)]),
        ([before, after], signal) => inputs.openPair(signal, new File([before], a.file), new File([after], b.file)),
      ),
  };
}
