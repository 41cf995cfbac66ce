/** The advisor for the shown messages. It is kept while messages, schema and compressor stay the same. */
import type { Advice } from '#engine/advise/advice.ts';
import { Advisor } from '#engine/advise/advise.ts';
import { type Batches, batchesOf } from '#engine/advise/batch.ts';
import { beforeAfter, diffOf } from '#engine/advise/before-after.ts';
import { belowLimit } from '#engine/advise/below-limit.ts';
import { type Change, ImpossibleChange } from '#engine/advise/change.ts';
import { editableFiles, type Reencoded, reencode } from '#engine/advise/edited-schema.ts';
import { type EditedText, splitEdits, type TextFile } from '#engine/advise/edited-text.ts';
import type { MeasuringCompressor } from '#engine/advise/measure.ts';
import { type LoadedSchema, patchOf } from '#engine/advise/patch.ts';
import { rankAdvice } from '#engine/advise/rank-advice.ts';
import { readChanges } from '#engine/advise/read-change.ts';
import { measureWaste, type WasteReport } from '#engine/advise/waste.ts';
import { collectUnits } from '#engine/analysis/measure/collect-units.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { wireSide } from '#engine/inspect/inspect.ts';
import { sourcesOf } from '#engine/schema/compile.ts';
import { neededFiles } from '#engine/schema/needed-files.ts';
import { runToEnd } from '#engine/schema/steps.ts';
import type { AdviseApi, Advised, AdviseParams, Applied, AppliedMessage, Faulty, RefusedAdvice } from './advise-api.ts';
import { loadCompressors } from './load-compressors.ts';
import { nextMacrotask } from './next-macrotask.ts';
import type { Context, Control } from './protocol.ts';
import { findShownMessages, MEASURED_LIMIT, pauses } from './sample-messages.ts';
import { opened, type Session, sessionLibrary } from './session-state.ts';

interface Opened {
  readonly key: string;
  readonly of: readonly unknown[];
  readonly advisor: Advisor;
  readonly compressor: MeasuringCompressor;
  readonly advised: Omit<Advised, 'rows' | 'waste' | 'batches'>;
  /** The rows measured so far, and the proposals that follow them: who comes back finds what was measured before. */
  readonly measured: Map<string, Advice>;
  readonly proposals: ReturnType<Advisor['proposals']>;
  /** Once all of them are measured. */
  rows: readonly Advice[] | null;
  waste: WasteReport | null;
  batches: Batches | null | undefined;
  /** The changes that were applied last. */
  made?: Made;
}

type AppliedParams = Parameters<AdviseApi['applyChanges']>[0];

interface Made extends Pick<Reencoded, 'row' | 'messages' | 'patch'>, Pick<Applied, 'edited'> {
  /** The changes, as text. */
  readonly key: string;
}

export class AdviceSession {
  readonly #session: Session;
  #opened: Opened | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  async advise(
    params: AdviseParams,
    context: Pick<Context<Advised | RefusedAdvice>, 'signal' | 'progress' | 'soFar'>,
  ): Promise<Advised | RefusedAdvice> {
    const found = await this.#open(params, context);
    if ('refused' in found) return found;
    const { advised } = found;
    if (found.rows === null) {
      const { rankedBy } = advised;
      const { measured, proposals } = found;
      const showSoFar = (): void => {
        const rows = rankAdvice([...measured.values()], rankedBy).map(withoutEdits);
        context.soFar({ ...advised, rows, waste: null, batches: null });
      };
      if (measured.size > 0) showSoFar();
      const nextOf = () =>
        proposals.next().catch((error: unknown) => {
          // Nothing follows a failure: what comes back begins anew.
          if (this.#opened === found) this.#opened = null;
          throw error;
        });
      for (let next = await nextOf(); !next.done; next = await nextOf()) {
        const { done, total, advice } = next.value;
        context.progress({ done, total, unit: 'changes' });
        if (advice !== undefined) {
          measured.set(JSON.stringify(advice.changes), advice);
          showSoFar();
        }
        await nextMacrotask();
        context.signal.throwIfAborted();
      }
      // A row whose saving is smaller than the noise is dropped.
      found.rows = rankAdvice(
        [...measured.values()].filter(({ isSettled }) => isSettled),
        rankedBy,
      );
    }
    found.waste ??= await measureWaste(found.advisor, advised.type, [found.compressor]);
    if (found.batches === undefined) {
      const { trees, forms } = found.advisor;
      found.batches = (await batchesOf(trees, forms, advised.type, [found.compressor])) ?? null;
    }
    return { ...advised, rows: found.rows.map(withoutEdits), waste: found.waste, batches: found.batches };
  }

  async apply(params: AppliedParams, context: Control): Promise<Applied | Faulty | RefusedAdvice> {
    const made = await this.#make(params, context);
    if (!('row' in made)) return made;
    const { row, messages, patch, edited } = made;
    return {
      row,
      diff: diffOf(messages),
      patch: patch.diff,
      files: [...patch.files].map(([path, text]) => ({ path, text })),
      unwritable: patch.refused ?? null,
      edited,
    };
  }

  async message(
    { at, ...params }: AppliedParams & { readonly at: number },
    context: Control,
  ): Promise<AppliedMessage | Faulty | RefusedAdvice> {
    const made = await this.#make(params, context);
    if (!('row' in made)) return made;
    const { type, afterType, before, after } = made.messages;
    const [was, is] = [before[at], after[at]];
    if (was === undefined || is === undefined) return { refused: 'There is no such message' };
    return {
      before: wireSide(was.slice(), type),
      after: wireSide(is.slice(), afterType),
      messages: Math.min(before.length, after.length),
    };
  }

  /** The chosen changes, applied once for all calls about them. */
  async #make({ changes, ...params }: AppliedParams, context: Control): Promise<Made | Faulty | RefusedAdvice> {
    const found = await this.#open(params, context);
    if ('refused' in found) return found;
    const key = JSON.stringify(changes);
    if (found.made?.key === key) return found.made;
    const schema = this.#schemaOf(params.shown);
    try {
      const { edits, others } = splitEdits(changes);
      const read = readChanges(others);
      const made =
        edits.length === 0
          ? await this.#applied(found.advisor, schema, read)
          : await this.#edited(found.advisor, schema, params.shown, edits, read);
      if ('faults' in made) return made;
      found.made = { key, ...made };
      return found.made;
    } catch (error) {
      if (!(error instanceof ImpossibleChange)) throw error;
      const chosen = new Set(changes.map((change) => JSON.stringify(change)));
      const rows = found.rows?.filter((row) => row.changes.every((change) => chosen.has(JSON.stringify(change))));
      const clashing = found.advisor.clashing(rows ?? []).map(({ title }) => title);
      return { refused: error.message, ...(clashing.length === 0 ? {} : { clashing }) };
    }
  }

  async #applied(advisor: Advisor, schema: LoadedSchema, changes: readonly Change[]): Promise<Omit<Made, 'key'>> {
    const measured = await advisor.measure(changes);
    const row = await advisor.adviceOn(`${changes.length} changes together`, measured);
    const patch = patchOf(schema, measured.edits);
    return { row: withoutEdits(row), messages: beforeAfter(advisor, measured, schema), patch, edited: null };
  }

  async #edited(
    advisor: Advisor,
    schema: LoadedSchema,
    type: string,
    edits: readonly EditedText[],
    others: readonly Change[],
  ): Promise<Omit<Made, 'key'> | Faulty> {
    const found = await reencode(advisor, schema, type, edits, others);
    if ('faults' in found) return found;
    const { row, messages, patch, ...edited } = found;
    return { row, messages, patch, edited };
  }

  async editableFiles(params: AdviseParams, context: Control): Promise<readonly TextFile[] | RefusedAdvice> {
    const found = await this.#open(params, context);
    return 'refused' in found ? found : editableFiles(this.#schemaOf(params.shown), params.shown);
  }

  async belowLimit({ limit, ...params }: Parameters<AdviseApi['belowLimit']>[0], context: Control) {
    const found = await this.#open(params, context);
    if ('refused' in found) return found;
    if (found.rows === null) return { refused: 'The changes are not all measured yet' };
    return belowLimit(found.advisor, found.rows, limit);
  }

  async #open(params: AdviseParams, context: Control): Promise<Opened | RefusedAdvice> {
    const { schema, bundled, input } = this.#session;
    const key = JSON.stringify([
      params.shown,
      params.type,
      params.types,
      params.scope,
      params.format,
      params.compressor,
    ]);
    const of = [schema, bundled, input];
    if (this.#opened?.key === key && this.#opened.of.every((one, at) => one === of[at])) return this.#opened;
    this.#opened = null;
    const { units, messages, outOf, computed, capturedWith } = await this.#messages(params, context);
    if (messages === 0) return { refused: 'No message of this type can be read whole' };
    const id = params.compressor ?? firstCompressor(capturedWith);
    const { label, ...compressor } = await loadOne(id);
    const type = params.shown;
    const { registry } = schema.registry.messages.has(type) ? schema : bundled;
    const others = Object.fromEntries(COMPRESSORS.map((one) => [one.id, () => loadOne(one.id)]));
    const clock = () => performance.now();
    const subject = { registry, type, units, compressors: [compressor], rankedBy: id, others, clock };
    const advisor = await Advisor.open(subject);
    context.signal.throwIfAborted();
    const found: Opened = {
      key,
      of,
      advisor,
      compressor,
      advised: {
        ...advisor.baseline,
        type,
        rankedBy: id,
        compressor: label,
        compressors: COMPRESSORS.map((one) => one.id),
        messages,
        outOf,
        computed,
        capturedWith,
      },
      measured: new Map(),
      proposals: advisor.proposals(),
      rows: null,
      waste: null,
      batches: undefined,
    };
    this.#opened = found;
    return found;
  }

  async #messages(params: AdviseParams, control: Control) {
    const store = opened(this.#session);
    const shown = await findShownMessages(this.#session, params, control);
    if (shown === null) return { units: [], messages: 0, outOf: 0, computed: 0, capturedWith: {} };
    return collectUnits([{ store, ...shown }], sessionLibrary(this.#session), MEASURED_LIMIT, pauses(control));
  }

  /** The schema that has the type, with the files that the type needs. */
  #schemaOf(type: string): LoadedSchema {
    const { schema, bundled } = this.#session;
    const { registry, symbols, check } = schema.registry.messages.has(type) ? schema : bundled;
    // A patch needs the places of all names.
    runToEnd(check());
    const needed = neededFiles(registry, type);
    const isNeeded = ({ path }: { readonly path: string }): boolean =>
      !registry.files.some((file) => file.path === path) || (needed?.has(path) ?? false);
    return { registry, symbols, sources: sourcesOf(registry)!.filter(isNeeded) };
  }
}

async function loadOne(id: CompressorId): Promise<MeasuringCompressor & { readonly label: string }> {
  const [loaded] = await loadCompressors([{ id, level: null }]);
  const { label, compress } = loaded!;
  return { id, label, size: async (bytes) => (await compress(bytes)).length };
}

const withoutEdits = ({ edits: _, ...row }: Advice) => row;
