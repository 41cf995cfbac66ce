/**
 * The figures of one input, by the name that links, embeds, documents and the command line use. One more is one entry here.
 * `all-figures.ts` adds those of two.
 */
import type { ReactElement } from 'react';
import { BreakEvenChart } from '#charts/break-even.tsx';
import { breakEven, valuesDiffer } from '#charts/break-even-geometry.ts';
import { causeSteps, waterfallEnds } from '#charts/cause-steps.ts';
import { Icicle } from '#charts/icicle.tsx';
import { icicleTree } from '#charts/icicle-tree.ts';
import { Waterfall } from '#charts/waterfall.tsx';
import { WidthHistogram } from '#charts/width-histogram.tsx';
import type { LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { compareProfile } from '#engine/cost/compare.ts';
import { capturedLedger, type FieldProfile, totalIn } from '#engine/cost/profile.ts';
import { bitsSource, bitsWords } from '#wording/bits-words.ts';
import { AFTER_COMPRESSION } from '#wording/chart-words.ts';
import { compositionOf } from '#wording/composition-words.ts';
import { coverageWords } from '#wording/coverage-words.ts';
import { excerptTitle } from '#wording/excerpt-words.ts';
import { bytesOfKind, layerRows } from '#wording/layer-words.ts';
import { matrixWords, measuredAs } from '#wording/matrix-words.ts';
import { formatBytes, formatPercent, shareOf } from '#wording/number-text.ts';
import { plainText, verdictOf } from '#wording/verdict-words.ts';
import { BytesFigure } from './bytes-figure.tsx';
import { CompressedFigure } from './compressed-figure.tsx';
import { FieldsFigure } from './fields-figure.tsx';
import { LayersFigure } from './layers-figure.tsx';
import { MatrixFigure } from './matrix-figure.tsx';
import type { Drawing } from './picture.tsx';
import { madeWords, type Sourced } from './source-line.ts';
import type { FigureSubject } from './subject.ts';

export interface Figure extends Sourced {
  readonly title: string;
  /** The headline above it; null: its title. Absent: it shows one field, and the headline is the field's path. */
  readonly heading?: (subject: FigureSubject) => string | null;
  /** Pixels of a picture that is saved. */
  readonly width: number;
  /** Undefined: the subject has nothing that this figure shows. `id` keeps the ids of several figures apart. */
  readonly draw: (subject: FigureSubject, frame: FigureFrame) => Drawing | undefined;
}

export interface FigureFrame {
  readonly id: string;
  /** Pixels. */
  readonly width: number;
}

/** The words, after those of what they are not about. */
const covered = ({ from }: FigureSubject, words: string): string => {
  const coverage = from.coverage && coverageWords(from.coverage);
  return coverage === null ? words : `${coverage} ${words}`;
};

const verdict = (subject: FigureSubject): string => covered(subject, plainText(verdictOf(subject.profile)));

const waterfall: Figure = {
  title: 'Difference by cause',
  heading: verdict,
  width: 720,
  draw({ profile }, { id, width }) {
    if (profile.pair[1] === null || profile.other?.isAlone) return undefined;
    return drawn(Waterfall({ id, ...waterfallEnds(profile), steps: causeSteps(compareProfile(profile)), width }));
  },
};

const fields: Figure = {
  title: 'Bytes by field',
  heading: verdict,
  width: 720,
  draw: ({ profile }, { id, width }) => FieldsFigure({ id, profile, width }),
};

const icicle: Figure = {
  title: 'Bytes by field path',
  heading: (subject) => covered(subject, plainText(compositionOf(subject.profile))),
  width: 720,
  draw: ({ profile }, { id, width }) =>
    totalIn(profile, capturedLedger(profile)) === 0
      ? undefined
      : Icicle({ id, root: icicleTree(profile, capturedLedger(profile)), width }),
};

const even: Figure = {
  title: 'Bytes by presence',
  width: 480,
  draw(subject, { id, width }) {
    const field = fieldOf(subject);
    const { pair, other } = subject.profile;
    // Only native layouts write presence; other encodings leave absent fields out.
    if (other !== undefined) return undefined;
    const lines = field && breakEven(field, pair, valuesDiffer(field, pair) ? 'all' : 'overhead');
    return lines ? drawn(BreakEvenChart({ id, even: lines, width })) : undefined;
  },
};

const widths: Figure = {
  title: 'Varint widths',
  width: 480,
  draw(subject, { id, width }) {
    const field = fieldOf(subject);
    if (field === undefined) return undefined;
    const of = (['value', 'length', 'tag'] as const).find((part) => counts(field.widths[part]) > 0);
    return of && drawn(WidthHistogram({ id, of, widths: field.widths[of]!, measure: 'count', width }));
  },
};

const bytes: Figure = {
  title: 'Hex view',
  heading: ({ excerpt }) => excerpt && excerptTitle(excerpt),
  width: 720,
  draw: ({ excerpt }, { id, width }) => (excerpt ? BytesFigure({ id, excerpt, width }) : undefined),
};

const layers: Figure = {
  title: 'Layers of the capture',
  heading: ({ from, layers: ledger }) => `${from.name}: ${layersInWords(ledger)}`,
  // They are of all messages of the capture, of every type.
  source: ({ from }) => `Measured from ${from.name} · ${madeWords(from)}`,
  width: 720,
  draw: ({ layers: ledger }, { id, width }) => (ledger ? LayersFigure({ id, layers: ledger, width }) : undefined),
};

const matrix: Figure = {
  title: 'Encodings and compressors',
  heading: ({ matrix: measured }) => measured && matrixWords(measured.sizes, measured.by),
  compression: ({ matrix: measured, profile }) =>
    measured?.sizes.messages === 1 ? null : measured && measuredAs(measured.sizes, profile),
  width: 860,
  draw: ({ matrix: measured }, { id, width }) =>
    measured ? MatrixFigure({ id, matrix: measured.sizes, by: measured.by, width }) : undefined,
};

const compressed: Figure = {
  title: AFTER_COMPRESSION,
  heading: (subject) => subject.bits && covered(subject, bitsWords(subject.bits)),
  compression: ({ bits }) => bits && bitsSource(bits),
  width: 860,
  draw: ({ bits }, { id, width }) => (bits ? CompressedFigure({ id, bits, width }) : undefined),
};

export const FIGURES = {
  waterfall,
  icicle,
  fields,
  'break-even': even,
  widths,
  bytes,
  layers,
  matrix,
  compressed,
} as const satisfies Record<string, Figure>;
export type FigureName = keyof typeof FIGURES;

export const isFigureName = (name: string): name is FigureName => Object.hasOwn(FIGURES, name);

/** The verdict above a figure of the whole, the field and what is shown of it above a figure of one. */
export const titleOf = (figure: Figure, subject: FigureSubject): string =>
  figure.heading === undefined
    ? `${subject.path}: ${figure.title.toLowerCase()}`
    : (figure.heading(subject) ?? figure.title);

function layersInWords(ledger: LayerLedger | null): string {
  if (ledger === null) return 'no capture';
  const rows = layerRows(ledger);
  const size = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${formatPercent(shareOf(bytesOfKind(rows, 'payload'), size))} of ${formatBytes(size)} are messages`;
}

const fieldOf = ({ profile, path }: FigureSubject): FieldProfile | undefined =>
  profile.fields.find((field) => field.path === path);

const counts = (histogram: readonly number[] | null): number => histogram?.reduce((sum, count) => sum + count, 0) ?? 0;

/** Charts are functions of their props, and what they return is one svg of a stated size. */
const drawn = (chart: unknown): Drawing => chart as ReactElement as Drawing;
