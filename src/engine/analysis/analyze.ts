/** The whole pipeline in one function, for one input in memory or on disk: open, store, plan, run. */
import type { ReadControl, Source } from '../bytes/source.ts';
import type { InputChoice } from '../frame/payload.ts';
import { defaultProfile } from '../native/default-profile.ts';
import type { Overrides } from '../native/derive.ts';
import type { NativeProfile } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor, Registry } from '../schema/descriptor.ts';
import { faultsIn, type SchemaFaults } from '../schema/faults.ts';
import { type ComparisonEncoding, loadLossCounter } from './against.ts';
import type { TypeSource } from './evidence/classify-type.ts';
import type { MessagesRun } from './messages-run.ts';
import { AskedGroups, askedIn, askFor } from './plan/asked-messages.ts';
import { type TypeLibrary, typeNamed } from './plan/group-readings.ts';
import { isNative, NativeLayouts } from './plan/native-reading.ts';
import { planMessages } from './plan/plan-messages.ts';
import { planChosen, type ReadingPlan } from './plan/plan-reading.ts';
import { type InputRead, openInput } from './read-input.ts';
import { reflectedSchema } from './reflected-schema.ts';
import { runMessages } from './run-messages.ts';
import { allMessages, storeMessages } from './store/message-store.ts';

export interface AnalyzeRequest {
  /**
   * The type of payloads. Without it: the type of `registry` that the evidence selects, or a guessed one. For a capture,
   * only messages of this type are read.
   */
  readonly type?: MessageDescriptor | undefined;
  /** Default: the descriptors that servers sent in a capture. */
  readonly registry?: Registry | undefined;
  /** The errors of the schema. */
  readonly faults?: SchemaFaults | undefined;
  /** Default: none; for messages that were captured in a native layout, that of the schema. */
  readonly nativeProfile?: NativeProfile | undefined;
  readonly overrides?: Overrides | undefined;
  /** An encoding to compare with, in place of the native profile. */
  readonly against?: ComparisonEncoding | undefined;
}

/** The costs of an input's messages, and how the input was read. */
export interface SourceReport extends MessagesRun {
  readonly input: InputRead;
  /** How payloads are read, and why; null: a capture, whose groups have readings of their own. */
  readonly reading: ReadingPlan | null;
}

/** Rejects only as `source.read` does, or when cancelled. */
export async function analyze(
  source: Source,
  choice: InputChoice,
  given: AnalyzeRequest,
  control: ReadControl = {},
): Promise<SourceReport> {
  const { type, nativeProfile, overrides, against } = given;
  const loaded = given.registry === undefined ? [] : [{ registry: given.registry, faults: given.faults }];
  const opened = await openInput(source, choice, control, () =>
    loaded.map((one) => ({ ...one, isOffered: (offered) => type === undefined || offered === type })),
  );
  const isCapture = opened.kind === 'capture';
  const { store, input } = await storeMessages(opened, choice, { ...control, nextTurn: () => Promise.resolve() });
  const set = isCapture && loaded.length === 0 ? await reflectedSchema(store, control) : null;
  const sources = set === null ? loaded : [schemaOf(set)];
  const library = libraryOf(sources);
  const asked = isCapture ? askedIn(store, askFor(library, { type })) : { named: [...allMessages(store)], open: [] };
  const groups = new AskedGroups();
  const compared = sources.length === 0 ? undefined : sources;
  if (isCapture) groups.enter(store, asked);
  const { types, evidence, ordinalsIn } = await groups.decide(type, library, [store], compared, control);
  const selected = { store, ordinals: ordinalsIn(store, asked) };
  const isOpen = type === undefined && sources.length > 0;
  let reading: ReadingPlan | null = null;
  if (!isCapture) reading = isOpen ? await planMessages([selected], sources, control) : planChosen(type ?? null);
  const shown = type ?? (reading === null || reading.type === null ? null : (typeNamed(library, reading.type) ?? null));
  const request = {
    library,
    type: shown,
    types,
    evidence,
    guesses: new Map(),
    nativeProfile: nativeProfile ?? (store.messages.groups.all().some(isNative) ? defaultProfile(true, shown) : null),
    ...(nativeProfile && { isNativeChosen: true, countLosses: await loadLossCounter(nativeProfile) }),
    overrides,
    against,
  };
  const [run] = await runMessages([selected], request, control);
  return { input, reading, ...run! };
}

function schemaOf(set: Uint8Array): Pick<TypeSource, 'registry' | 'faults'> {
  const { registry, diagnostics, symbols } = compileSchema([{ path: 'server reflection', content: set }]);
  return { registry, faults: faultsIn(registry, diagnostics, symbols) };
}

export function libraryOf(sources: readonly Pick<TypeSource, 'registry' | 'faults'>[]): TypeLibrary {
  const registries = sources.map(({ registry }) => registry);
  const faults = sources.flatMap((source) => source.faults ?? []);
  return { registries, layouts: new NativeLayouts(...registries), faults };
}
