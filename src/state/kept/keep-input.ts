/** Stores the open input in the browser, whenever the input or the way it is read changes. */

import { localId } from '../addresses/local-place.ts';
import type { Keeping, KeptSide } from '../session-state.ts';
import { settersOf } from '../setters.ts';
import type { AppState, AppStore } from '../store.ts';
import type { KeptInputs } from './kept-inputs.ts';
import { mayHoldSecrets, withoutSecrets } from './without-secrets.ts';

/** Milliseconds between a change and storing it. */
const PAUSE = 200;

export function keepInput(store: AppStore, keptInputs: KeptInputs): void {
  const { setSession } = settersOf(store);
  let pausing: ReturnType<typeof setTimeout> | undefined;
  /** Ids of inputs that are not kept again. */
  const forgotten = new Set<string>();

  async function keep({ session }: AppState): Promise<void> {
    const { input, setAside, schemaFiles, baseline } = session;
    const id = input && localId(input.place);
    const given = input?.file ?? input?.data;
    if (!input || !id || !given) return;
    const show = (kept: Keeping): void => {
      if (store.getState().session.input === input) setSession({ kept: forgotten.has(id) ? 'forgotten' : kept });
    };
    if (forgotten.has(id)) return show('forgotten');
    const { name, textEncoding, framing, steps, file } = input;
    const data = file ?? (await keptOf(given, session));
    if (data === 'unread') {
      if (session.job === null) show('unread');
      return;
    }
    if (data === null) {
      // Earlier versions kept some of them.
      await keptInputs.forget(id);
      return show('secret');
    }
    const schema = setAside === null ? null : schemaFiles;
    const kept = await keptInputs.put({
      id,
      name,
      size: data.size,
      opened: Date.now(),
      data,
      isShared: file !== null,
      textEncoding,
      framing,
      steps,
      schema,
      baseline: baseline && figuresOf(baseline),
    });
    // Perhaps while it was written.
    if (forgotten.has(id)) await keptInputs.forget(id);
    show(kept);
  }

  store.subscribe((state, before) => {
    const { input, kept, schemaFiles, baseline, inputSummary, job } = state.session;
    const last = before.session;
    const isRead = inputSummary?.complete === true && last.inputSummary?.complete !== true;
    const isLeft = job === null && last.job !== null && inputSummary?.complete !== true;
    const id = input && localId(input.place);
    if (id !== null && kept === 'forgotten') forgotten.add(id);
    if (input === last.input && schemaFiles === last.schemaFiles && baseline === last.baseline && !isRead && !isLeft)
      return;
    clearTimeout(pausing);
    if (id !== null) pausing = setTimeout(() => void keep(store.getState()), PAUSE);
  });
}

/** Message selections apply only to one input. */
const figuresOf = ({ from: _, ...figures }: KeptSide): KeptSide => figures;

/** `unread`: it is not known yet whether it holds secrets. null: it holds secrets that cannot be removed. */
async function keptOf(data: Blob, { inputSummary }: AppState['session']): Promise<Blob | 'unread' | null> {
  if (inputSummary?.complete) return withoutSecrets(data, inputSummary);
  return (await mayHoldSecrets(data)) ? 'unread' : data;
}
