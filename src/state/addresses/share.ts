/** The open analysis → the shared data, by the amount that the user chose to share. */

import { heldTypes } from '#engine/cost/held-types.ts';
import { PROTOBUF, type Profile } from '#engine/cost/profile.ts';
import { withoutAddresses } from '#engine/frame/losses.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { withoutComments } from '#engine/schema/text/without-comments.ts';
import { APP_VERSION } from '#permalink/app-version.ts';
import type { Shared, SharedData } from '#permalink/shared.ts';
import { type FigureNotes, figureNotes } from '#wording/figure-notes.ts';
import { NOT_SHARED, notOpenable } from '#wording/share-notes.ts';
import type { ShareKind } from '#wording/share-words.ts';
import type { Client } from '#worker/connect.ts';
import type { SchemaFile } from '#worker/schema-api.ts';
import { withoutSecrets } from '../kept/without-secrets.ts';
import { loadPart, MissingPart } from '../load-part.ts';
import { measureCompressed } from '../measured/compressed.ts';
import { sharedBaseline, sharedBits } from '../measured/shared-bits.ts';
import { matrixByOf, sharedMatrix, shownMatrix } from '../measured/shown-matrix.ts';
import { isFetchable } from '../opening/remote-sources.ts';
import {
  capturedSize,
  shownContradiction,
  shownMessages,
  shownOrigin,
  shownPlan,
  shownProfile,
  shownTouched,
} from '../shown-profile.ts';
import { besideShown, shownSource } from '../shown-source.ts';
import type { AppState } from '../store.ts';
import { initialView, isEveryMessage } from '../view-state.ts';
import { sharedView, viewOfFigures } from './shared-view.ts';

/** The shared data, or the reason why it cannot be made. */
export type Sharing = { readonly ok: true; readonly shared: Shared } | { readonly ok: false; readonly reason: string };

/** Larger payloads are not shared, because they are files already; 32 MiB. */
const MAX_PAYLOAD = 32 << 20;

/** The ways to share the open analysis, the one with least data first. */
export function shareKinds(state: AppState): readonly ShareKind[] {
  const { input, sharedFrom, analysis } = state.session;
  if (!analysis || !input) return [];
  const isRead = input.textEncoding === undefined && input.framing === undefined && input.steps === undefined;
  const isSample = input.origin?.kind === 'sample' && isRead && input.origin.schemaFiles === state.session.schemaFiles;
  const hasPayload = input.data !== null;
  const kinds: readonly [ShareKind, boolean][] = [
    ['sample', isSample],
    ['profile', true],
    ['shape', sharedFrom?.kind === 'shape' || (hasPayload && hasShape(shownProfile(state)))],
    ['inline', hasPayload && sharedFrom?.kind !== 'shape'],
    ['address', hasPayload && sharedFrom?.kind !== 'shape'],
  ];
  return kinds.flatMap(([kind, isThere]) => (isThere ? [kind] : []));
}

/** Filler takes the place of values of protobuf messages whose type is known. */
const hasShape = (shown: Profile | undefined): boolean =>
  shown !== undefined &&
  shown.type !== '' &&
  shown.nativeLedger === undefined &&
  shown.other?.isCaptured !== true &&
  shown.pair[0] === PROTOBUF;

/** @param address of the input, if the link carries the address. @param today milliseconds since the epoch */
export async function share(
  state: AppState,
  { client, shippedFiles }: Helpers,
  { kind, name, address, excerpt, today }: ShareRequest,
): Promise<Sharing> {
  const data = await dataOf(state, { client, shippedFiles }, { kind, address, excerpt });
  if (typeof data === 'string') return { ok: false, reason: data };
  const { sharedFrom, inputSummary } = state.session;
  // Data that was shared as figures or as a shape keeps its age, and the size of its original.
  const kept = sharedFrom?.kind === 'profile' || sharedFrom?.kind === 'shape' ? sharedFrom : null;
  const { messages, size } = kept?.source ?? inputSummary ?? { messages: 0, size: 0 };
  const shown = shownProfile(state);
  const { coverage, losses } = shownSource(state.session);
  // Neither describes single messages, nor which were left out.
  const isOfNone = data.kind === 'profile' || data.kind === 'shape';
  const captured = capturedSize(state);
  const notes = kept === null ? notesOf(state, data.kind) : kept.source.notes;
  return checkedSharing({
    source: {
      name,
      messages: isOfNone ? (shown?.messages ?? messages) : messages,
      size: isOfNone && kept === null ? (shownOrigin(state)?.bytes ?? size) : size,
      ...(isOfNone ? { coverage, losses: withoutAddresses(losses) } : { coverage: null, losses: [] }),
      ...(isOfNone && captured !== null ? { captured } : {}),
      ...(isOfNone && notes ? { notes } : {}),
    },
    made: kept?.made ?? { date: new Date(today).toISOString().slice(0, 10), by: APP_VERSION },
    view: isOfNone ? viewOfFigures(sharedView(state.view), shown) : sharedView(state.view),
    data,
    ...(state.session.baseline ? { baseline: sharedBaseline(state) } : {}),
  });
}

/** Facts that the page shows beside the figures. */
const notesOf = (state: AppState, kind: SharedData['kind']): FigureNotes | undefined =>
  figureNotes({
    beside: besideShown(state),
    contradicted: shownContradiction(state),
    mixed: shownPlan(state)?.unlike?.types.map(({ type }) => type),
    // The schema of a shape has the error, too.
    isTouched: kind !== 'shape' && shownTouched(state) !== undefined,
  });

/** Only data that can be opened again is shared. */
async function checkedSharing(shared: Shared): Promise<Sharing> {
  const { checkShared } = await loadPart(() => import('#permalink/shared.ts'));
  const checked = checkShared(shared);
  return checked.ok ? { ok: true, shared } : { ok: false, reason: notOpenable(checked.detail) };
}

export interface Helpers {
  readonly client: Client;
  /** The shipped files among these paths. */
  readonly shippedFiles: (paths: readonly string[]) => Promise<readonly SchemaFile[]>;
}

export interface ShareRequest {
  readonly kind: ShareKind;
  readonly name: string;
  readonly address: string;
  /** The bytes that a person added to the figures. */
  readonly excerpt: Excerpt | null;
  readonly today: number;
}

/** A string is the reason why it cannot be shared. */
async function dataOf(
  { session, view }: AppState,
  { client, shippedFiles }: Helpers,
  { kind, address, excerpt }: Pick<ShareRequest, 'kind' | 'address' | 'excerpt'>,
): Promise<SharedData | string> {
  const { input, inputSummary, sharedFrom } = session;
  const profile = shownProfile({ session, view });
  if (!input || !profile) return NOT_SHARED.nothingOpen;
  switch (kind) {
    case 'sample':
      return input.origin?.kind === 'sample' ? { kind, id: input.origin.id } : NOT_SHARED.noSample;
    case 'profile':
      return {
        kind,
        profile,
        compressed: sharedFrom?.compressed ?? (await compressedOf()),
        layers: inputSummary?.kind === 'capture' ? inputSummary.layers : (sharedFrom?.layers ?? null),
        excerpt,
        matrix:
          sharedMatrix(shownMatrix({ session, view }), matrixByOf({ session, view })) ?? sharedFrom?.matrix ?? null,
        bits: sharedBits({ session, view }),
      };
    case 'address':
      if (!isFetchable(address)) return NOT_SHARED.noAddress;
      return { kind, address, ...(await contextOf()) };
    case 'inline':
    case 'shape': {
      if (!input.data) return NOT_SHARED.noMessages;
      if (input.data.size > MAX_PAYLOAD) return NOT_SHARED.tooLarge;
      if (kind === 'inline' || sharedFrom?.kind === 'shape') {
        const data = inputSummary?.complete ? withoutSecrets(input.data, inputSummary) : null;
        if (data === null) return NOT_SHARED.secrets;
        const payload = new Uint8Array(await data.arrayBuffer());
        const context = await contextOf();
        return kind === 'inline'
          ? { kind, payload, ...context }
          : { kind, payload, ...bare(context), compressed: sharedFrom?.compressed ?? null };
      }
      const { type, types, scope, nativeProfile, overrides } = view;
      const outcome = await client.call('shape', { type, types, scope, nativeProfile, overrides, of: profile.type });
      if (!outcome.ok && outcome.isMissing) throw new MissingPart(outcome.message);
      if (!outcome.ok) return outcome.message;
      if (!outcome.value.ok) return outcome.value.reason;
      const { payload, framing } = outcome.value;
      return {
        kind,
        payload,
        ...bare(await contextOf(profile.type)),
        textEncoding: 'binary',
        framing,
        compressed: await compressedOf(),
      };
    }
  }

  /** The measured sizes, because filler compresses differently and figures cannot be compressed. */
  async function compressedOf() {
    if (!input?.data || !profile || profile.pair[1] === null) return null;
    const outcome = await measureCompressed(client, shownMessages({ session, view }), profile);
    return outcome.ok ? outcome.value : null;
  }

  /**
   * The settled reading of the input, and the files that the types of its messages need. Without a type any loaded file
   * may be needed.
   */
  async function contextOf(of: string | null = inputSummary?.kind === 'capture' ? null : (view.type ?? '')) {
    return {
      textEncoding: inputSummary?.kind === 'payloads' ? inputSummary.textEncoding.id : null,
      framing: (inputSummary?.kind === 'payloads' ? inputSummary.framing.id : input?.framing) ?? null,
      ...(input?.steps ? { steps: [...input.steps] } : {}),
      schema: await Promise.all((await filesFor({ session, view }, { client, shippedFiles }, of)).map(readContent)),
    };
  }
}

/** The files that a type needs; null: the types of all messages of a capture; empty: all loaded files. */
async function filesFor(
  { session: { schemaFiles, analysis }, view: { types, scope } }: AppState,
  { client, shippedFiles }: Helpers,
  type: string | null,
): Promise<readonly SchemaFile[]> {
  if (type === '') return schemaFiles;
  const isOfAll = type !== null || isEveryMessage(scope);
  const held = analysis && isOfAll ? analysis.profiles.flatMap(heldTypes) : null;
  const sets = schemaFiles.filter(({ path }) => !path.endsWith('.proto'));
  const outcome = await client.call('neededFiles', { type, types, held, sets });
  if (!outcome.ok && outcome.isMissing) throw new MissingPart(outcome.message);
  if (!outcome.ok) return schemaFiles;
  const { shipped, sets: parts } = outcome.value;
  if (shipped.length > 0) return shippedFiles(shipped);
  const unneeded = new Set(outcome.value.unneeded);
  return [...schemaFiles.filter(({ path }) => path.endsWith('.proto') && !unneeded.has(path)), ...parts];
}

/**
 * A schema without an input, for the address of one of its pages.
 *
 * @param type null: the whole schema
 * @param other files of its second version
 */
export async function shareSchema(
  { session, view }: AppState,
  helpers: Helpers,
  type: string | null,
  other: readonly SchemaFile[],
): Promise<Sharing> {
  const schema = await Promise.all((await filesFor({ session, view }, helpers, type ?? '')).map(readContent));
  const otherSchema = await Promise.all(other.map(readContent));
  return checkedSharing({
    source: { name: 'Schema', messages: 0, size: 0, coverage: null, losses: [] },
    made: { date: new Date().toISOString().slice(0, 10), by: APP_VERSION },
    view: sharedView(initialView(view.nativeProfile)),
    data: {
      kind: 'inline',
      payload: new Uint8Array(0),
      textEncoding: null,
      framing: null,
      schema,
      ...(other.length > 0 ? { otherSchema } : {}),
    },
  });
}

/** Without the comments of .proto files. */
const bare = <T extends { readonly schema: readonly SharedFile[] }>(context: T): T => ({
  ...context,
  schema: context.schema.map(({ path, content }) => ({
    path,
    content: typeof content === 'string' ? withoutComments(content) : content,
  })),
});

type SharedFile = Awaited<ReturnType<typeof readContent>>;

async function readContent({ path, content }: SchemaFile) {
  if (typeof content === 'string') return { path, content };
  if (content instanceof Uint8Array) return { path, content: Uint8Array.from(content) };
  const isText = path.endsWith('.proto');
  return { path, content: isText ? await content.text() : new Uint8Array(await content.arrayBuffer()) };
}
