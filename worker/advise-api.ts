/** The page's calls about changes of the schema that would make the shown messages smaller, measured. */
import type { Advice, Baseline } from '#engine/advise/advice.ts';
import type { Batches } from '#engine/advise/batch.ts';
import type { BelowLimit } from '#engine/advise/below-limit.ts';
import type { Reencoded } from '#engine/advise/edited-schema.ts';
import type { TextFile } from '#engine/advise/edited-text.ts';
import type { WasteReport } from '#engine/advise/waste.ts';
import type { CapturedWith } from '#engine/compression/captured-with.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import type { ProfileDiff } from '#engine/cost/diff-profiles.ts';
import type { InspectedSide } from '#engine/inspect/inspect.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { ShownMessages } from './matrix-api.ts';

export interface AdviseParams extends ShownMessages {
  /** The ranking compressor; null: the one of the captured messages, else zstd. */
  readonly compressor: CompressorId | null;
}

export type AdviceRow = Omit<Advice, 'edits'>;

export interface Advised extends Baseline {
  readonly type: string;
  readonly rankedBy: CompressorId;
  /** `zstd level 3`. */
  readonly compressor: string;
  /** Ids of the compressors that can rank. */
  readonly compressors: readonly CompressorId[];
  /** The number of chosen messages, with those that are left out, and of all; of large inputs every nth is chosen. */
  readonly messages: number;
  readonly outOf: number;
  /** The number of messages whose protobuf is computed: they were captured in another encoding. */
  readonly computed: number;
  /** How the messages were compressed as captured. */
  readonly capturedWith: CapturedWith;
  /** Measured last; null: not yet. */
  readonly waste: WasteReport | null;
  /** Records a message; measured last. null: not yet, or no list makes up most of these messages. */
  readonly batches: Batches | null;
  /** Ranked; it grows. */
  readonly rows: readonly AdviceRow[];
}

export interface Applied {
  /** All chosen changes together. */
  readonly row: AdviceRow;
  readonly diff: ProfileDiff;
  /** For `git apply` in the folder of the schema. */
  readonly patch: string;
  /** The changed files, whole. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Why there is no patch. */
  readonly unwritable: string | null;
  /** If the text was edited: the paired fields, and what the edits break. */
  readonly edited: Pick<Reencoded, 'pairs' | 'lost' | 'lostSize' | 'comparison'> | null;
}

/** One of the measured messages, in both schemas. */
export interface AppliedMessage {
  readonly before: InspectedSide;
  readonly after: InspectedSide;
  readonly messages: number;
}

/** Why it cannot be answered, in a sentence. */
export interface RefusedAdvice {
  readonly refused: string;
  /** Titles of the rows whose changes do not go together; absent: they are not known. */
  readonly clashing?: readonly string[];
}

/** The faults of the edited text. */
export interface Faulty {
  readonly faults: readonly Diagnostic[];
}

export interface AdviseApi {
  advise(params: AdviseParams): Advised | RefusedAdvice;
  /** `changes`: as a link or a row has them (docs/advise.md). */
  applyChanges(params: AdviseParams & { readonly changes: readonly unknown[] }): Applied | Faulty | RefusedAdvice;
  /** `at`: which message, from 0. */
  appliedMessage(
    params: AdviseParams & { readonly changes: readonly unknown[]; readonly at: number },
  ): AppliedMessage | Faulty | RefusedAdvice;
  /** The files of the schema that can be edited, that of the shown type first. */
  editableFiles(params: AdviseParams): readonly TextFile[] | RefusedAdvice;
  /** `limit`: bytes of a message. */
  belowLimit(params: AdviseParams & { readonly limit: number }): BelowLimit | RefusedAdvice;
}
