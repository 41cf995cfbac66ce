/** The input of figures: a profile, its source, and the selection. */

import type { Coverage } from '#engine/analysis/coverage.ts';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import type { LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import type { CompressedFacts } from '#wording/compressed-words.ts';

export interface MeasuredFrom {
  /** The input's name. */
  readonly name: string;
  /** UTC, to the day. */
  readonly date: string;
  /** Version of the app. */
  readonly version: string;
  /** The share of a capture's messages that layouts and types explain; null: a payload, or not known. */
  readonly coverage: Coverage | null;
}

/** A of a comparison; the profile of the subject is B. */
export interface FigurePair {
  readonly name: string;
  readonly a: Profile;
  /** Paths of A → paths of B that a user aligned. */
  readonly aligned: Readonly<Record<string, string>>;
  /** Bits that fields of both pay, a compressor each. */
  readonly after: readonly { readonly a: BitsFacts; readonly b: BitsFacts }[];
}

export interface FigureSubject {
  readonly profile: Profile;
  readonly from: MeasuredFrom;
  /** Path of the selected field. */
  readonly path: string | null;
  /** Layers of the capture with the messages; null for payloads. */
  readonly layers: LayerLedger | null;
  /** Both sides after compression, shown beside the figures; null: not shown. */
  readonly compressed: CompressedFacts | null;
  /** Encodings and compressors, and the id of the shown compressor; null: not measured. */
  readonly matrix: { readonly sizes: MatrixSizes; readonly by: string | null } | null;
  /** Bits that fields pay in compressed streams; null: not measured. */
  readonly bits: BitsFacts | null;
  /** null: there is no A. */
  readonly pair: FigurePair | null;
  /** Bytes of one message, around its selected row; null: not in memory, or not to be shown. */
  readonly excerpt: Excerpt | null;
}
