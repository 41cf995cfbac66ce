/** A measured profile → the subject of figures, and the link that carries it. */
import { basename } from 'node:path';
import { emptyLayers, LAYERS, type LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { defaultFieldPath } from '#engine/cost/default-field.ts';
import { type Profile, totalIn } from '#engine/cost/profile.ts';
import { lossesOf, withoutAddresses } from '#engine/frame/losses.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { APP_VERSION } from '#permalink/app-version.ts';
import { plainView } from '#permalink/plain-view.ts';
import type { Shared } from '#permalink/shared.ts';
import type { Beside } from '#wording/beside-words.ts';
import { figureNotes } from '#wording/figure-notes.ts';
import type { Options } from '../options/arguments.ts';
import { Refusal } from '../output/outcome.ts';
import type { CompressedSizes } from './compressed-sizes.ts';
import { readExcerpt } from './excerpt.ts';
import type { Measured } from './measure.ts';

/**
 * @param date UTC, to the day. @param isShowingBytes whether bytes of a message may be in it.
 * @param sizes after compression, where they were measured; so `matrix`. @throws Refusal
 */
export async function reportSubject(
  profile: Profile,
  measured: Measured,
  options: Options,
  {
    date,
    isShowingBytes,
    sizes = null,
    matrix = null,
    bits = null,
    pair = null,
  }: {
    readonly date: string;
    readonly isShowingBytes: boolean;
    readonly sizes?: CompressedSizes | null;
    readonly matrix?: FigureSubject['matrix'];
    readonly bits?: FigureSubject['bits'];
    readonly pair?: FigureSubject['pair'];
  },
): Promise<FigureSubject> {
  const { reports } = measured;
  const names = reports.map(({ input }) => basename(input.name));
  const name = names.length <= 3 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
  const path = options.field ?? defaultFieldPath(profile);
  if (path !== null && !profile.fields.some((field) => field.path === path)) {
    throw new Refusal(`${profile.type || 'What was measured'} has no field ${path}`);
  }
  const codecs = sizes?.of(profile) ?? [];
  return {
    profile,
    from: { name, date, version: APP_VERSION, coverage: measured.coverage },
    path,
    layers: layersOf(reports),
    compressed: codecs.length === 0 ? null : { codecs, messages: profile.messages, outOf: profile.messages },
    matrix,
    bits,
    pair,
    excerpt: isShowingBytes ? await readExcerpt(measured, profile, path, options) : null,
  };
}

/** Layers of all captures together. */
function layersOf(reports: Measured['reports']): LayerLedger | null {
  const ledgers = reports.flatMap(({ input }) => (input.kind === 'capture' ? [input.layers] : []));
  if (ledgers.length === 0) return null;
  const sum = emptyLayers();
  for (const ledger of ledgers) for (const layer of LAYERS) sum[layer] += ledger[layer];
  return sum;
}

/** The figures alone, as the share dialog's first choice; with the bytes of the excerpt where there is one. */
export const sharedOf = (
  { profile, from, path, layers, compressed, matrix, bits, excerpt }: FigureSubject,
  measured: Measured,
): Shared => ({
  source: {
    name: from.name,
    messages: profile.messages,
    ...sizesOf(profile, measured),
    coverage: measured.coverage,
    losses: withoutAddresses(
      measured.reports.flatMap(({ input }) => (input.kind === 'capture' ? lossesOf(input) : [])),
    ),
    ...notesOf(profile, measured),
  },
  made: { date: from.date, by: from.version },
  view: {
    ...plainView(profile.type === '' ? null : profile.type, profile.pair[1]),
    selection: { path, ordinal: 0, row: null },
  },
  data: {
    kind: 'profile',
    profile,
    compressed: compressed && {
      ...compressed,
      protobuf: totalIn(profile, profile.pair[0]),
      native: totalIn(profile, profile.pair[1]),
    },
    layers,
    matrix,
    ...(bits && { bits }),
    excerpt,
  },
});

/** Bytes of its messages; of captures, as they were captured, too. */
function sizesOf(profile: Profile, { reports, sections }: Measured): Pick<Shared['source'], 'size' | 'captured'> {
  const { bytes, capturedBytes } = sections.find((section) => section.profile === profile)!;
  const isOfCaptures = reports.every(({ input }) => input.kind === 'capture');
  return { size: bytes, ...(isOfCaptures && { captured: capturedBytes }) };
}

function notesOf(profile: Profile, { reports, sections, plan }: Measured): Pick<Shared['source'], 'notes'> {
  const { groups, findings } = sections.find((section) => section.profile === profile)!;
  const notes = figureNotes({
    beside: besideOf(reports),
    contradicted: groups.map((group) => plan.groups[group]?.contradicted).find((named) => named !== undefined),
    isTouched: findings.diagnostics.some(({ code }) => code === 'schema/touched-type'),
  });
  return notes === undefined ? {} : { notes };
}

/** Bytes around the messages of files. Only files of one framing can name their framing together. */
function besideOf(reports: Measured['reports']): Beside {
  const files = reports.flatMap(({ input }) => (input.kind === 'capture' ? [] : [input]));
  const framings = new Set(files.map(({ framing }) => framing.id));
  const sum = (of: keyof Omit<Beside, 'framing'>): number => files.reduce((all, file) => all + file[of], 0);
  return {
    framing: framings.size === 1 ? [...framings][0]! : '',
    framingBytes: sum('framingBytes'),
    unattributedBytes: sum('unattributedBytes'),
  };
}

export const today = (): string => new Date().toISOString().slice(0, 10);
