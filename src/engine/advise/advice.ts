/** An advisor takes messages and their schema, and rates each change: the types of both. */
import type { Registry } from '../schema/descriptor.ts';
import type { SchemaEdits } from '../schema/edit/schema-edits.ts';
import type { AppliedChanges } from './apply.ts';
import type { Change, Compatibility, Effort, NumberChange } from './change.ts';
import type { FieldEncodings } from './forms.ts';
import type { Measure, MeasuringCompressor } from './measure.ts';
import type { Unit } from './payload.ts';

/** Fields get new numbers if old records would be misread. */
export interface Deployed {
  readonly moves: readonly NumberChange[];
  readonly after: Measure;
  readonly saved: Measure;
}

export interface Advice {
  /** Rank, from 1. */
  readonly id: number;
  readonly title: string;
  readonly changes: readonly Change[];
  /**
   * The base of `saved`: the captured bytes if the change removes a writer's waste; otherwise the messages written in
   * canonical order.
   */
  readonly against: 'before' | 'captured';
  /** With the present field numbers, as only readers without old records can use them. */
  readonly after: Measure;
  /** Base minus after. */
  readonly saved: Measure;
  /** As the patch writes the messages. Rank, noise and flags are those of these figures. */
  readonly deployed: Deployed;
  /** By compressor id: the ranking compressor, and others if there is time. */
  readonly noise: Readonly<Record<string, number>>;
  /** Edits that lead to the deployed schema. */
  readonly edits: SchemaEdits;
  readonly compatibility: Compatibility;
  readonly effort: Effort;
  /** The change is the reverse of something that the schema already saves. */
  readonly isCounterfactual: boolean;
  /** The ranking compressor's saving is within the noise. */
  readonly isNoDifference: boolean;
  /** Whether it saves raw bytes, with the present numbers or as deployed, or bytes of the ranking compressor. */
  readonly isWon: boolean;
  /** Raw and compressed savings have different signs. */
  readonly signsDiffer: boolean;
  /**
   * The conversion back was verified and the noise was measured. Before that, no row is marked as without difference.
   */
  readonly isSettled: boolean;
  /** For another compressor: its time for these messages, measured here, divided by the ranking compressor's time. */
  readonly time?: number | undefined;
}

export interface AdviceSubject {
  readonly registry: Registry;
  /** Full name of the type of all messages. */
  readonly type: string;
  readonly units: readonly Unit[];
  readonly compressors: readonly MeasuringCompressor[];
  /** Id of the compressor that ranks; undefined: raw bytes rank. */
  readonly rankedBy: string | undefined;
  /** Other compressors that the capture could use, by id. They are loaded when they are measured. */
  readonly others?: Readonly<Record<string, () => Promise<MeasuringCompressor>>>;
  /** In milliseconds, as `performance.now`. It is used to time other compressors. */
  readonly clock?: () => number;
}

export interface Baseline {
  /** The messages written in canonical order, which all changes are compared in. */
  readonly before: Measure;
  /** The captured bytes, if they differ. */
  readonly captured: Measure;
  /** Number of messages in these sizes, and of the pieces that are each compressed at once. */
  readonly measured: number;
  readonly pieces: number;
  /** Number of messages that cannot be read completely. They are left out. */
  readonly unread: number;
  /** Number of messages whose values would take too much memory. They are left out. */
  readonly tooLarge: number;
}

export interface MeasuredChanges {
  /** With the present field numbers: what `changes` say, and no more. */
  readonly applied: AppliedChanges;
  readonly units: readonly Unit[];
  readonly against: Advice['against'];
  readonly after: Measure;
  readonly saved: Measure;
  /** As the patch writes the messages. */
  readonly deployed: Deployed & { readonly units: readonly Unit[]; readonly forms: FieldEncodings };
  readonly compatibility: Compatibility;
  readonly effort: Effort;
  /** Edits that lead to the deployed schema. */
  readonly edits: SchemaEdits;
}

/** `noise`: of the ranking compressor. */
export type AdviceEffect = Pick<Advice, 'after' | 'saved' | 'noise'>;

/** Kinds of changes that are searched for. */
export interface AdviceProgress {
  readonly done: number;
  readonly total: number;
  readonly advice: Advice | undefined;
}
