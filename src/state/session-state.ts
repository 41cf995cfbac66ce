/** The open input and the state of its analysis. No part of it goes into a link. */

import type { Profile } from '#engine/cost/profile.ts';
import type { RowAddress } from '#engine/inspect/row-address.ts';
import type { Shared, SharedData, SharedFigures } from '#permalink/shared.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import type { Analysis, Inspection, ReadingPlan } from '#worker/analysis-api.ts';
import type { GroupReading, InputSummary, MessageScope } from '#worker/input-api.ts';
import type { ShownMessages } from '#worker/matrix-api.ts';
import type { Progress } from '#worker/protocol.ts';
import type { BundledSummary, SchemaFile, SchemaSummary } from '#worker/schema-api.ts';
import type { BitsAnswer, MatrixAnswer, PairStreams, SavedMeasurement } from './measured/measured.ts';
import type { ReadText } from './opening/read-texts.ts';
import type { Selection, ViewState } from './view-state.ts';

/** Types of the worker's answers, for the views: views know the state, not the worker. */
export type { Analysis, Inspection, Origin, ReadingPlan } from '#worker/analysis-api.ts';
export type { CopiedFrom } from '#worker/bits-api.ts';
export type {
  CaptureSummary,
  GroupReading,
  InputSummary,
  MessageColumn,
  MessageGroup,
  MessageOrder,
  MessageScope,
  MessageSummary,
  PayloadsSummary,
  ReadingChoice,
  Timeline,
  UnwrapStep,
} from '#worker/input-api.ts';
export type { CompressionUnit, MeasuredMatrix } from '#worker/matrix-api.ts';
export type { Progress } from '#worker/protocol.ts';
export type { SchemaFile, SchemaSummary } from '#worker/schema-api.ts';

/** `refused`: the browser keeps nothing, or has no room. `secret`: it holds secrets that cannot be taken out. */
/** `unread`: whether it holds secrets is not known, since it was not read to its end. */
export type Keeping = 'kept' | 'too-large' | 'refused' | 'secret' | 'unread' | 'forgotten';

/** The original bytes, kept so that the user can choose another text encoding or framing. */
export interface OpenInput {
  readonly name: string;
  /** null: only its figures were shared. */
  readonly data: Blob | null;
  /** Choices of the user; undefined: as detected. */
  readonly textEncoding: string | undefined;
  readonly framing: string | undefined;
  /** Ids of the steps that unwrap it. */
  readonly steps?: readonly string[] | undefined;
  /** Its address in the app, with `#`: a link, `#/sample/ID`, or `#/local/ID` of what this browser keeps. */
  readonly place: string;
  /** The shared file that it was opened from, until something is changed. */
  readonly file: Blob | null;
  /** Where it can be loaded again: a sample with its shipped schema, or an address. */
  readonly origin:
    | { readonly kind: 'sample'; readonly id: string; readonly schemaFiles: readonly SchemaFile[] }
    | { readonly kind: 'address'; readonly address: string }
    | null;
}

/** The source of a shared analysis, and its last view; null: the shared view. */
export interface CameFrom {
  readonly how: 'link' | 'file';
  /** The address to show for it. */
  readonly place: string;
  readonly file: Blob | null;
  readonly view: ViewState | null;
}

/** How a shared analysis was opened. */
export interface SharedFrom {
  readonly how: 'link' | 'file';
  readonly kind: SharedData['kind'];
  readonly source: Shared['source'];
  readonly made: Shared['made'];
  /** Sizes after compression, as measured on the original input. */
  readonly compressed: SharedFigures['compressed'];
  /** Layers of the measured capture; null: the input is not a capture, or its layers are read again. */
  readonly layers: SharedFigures['layers'];
  /** The bytes of one message that were shared with the figures. */
  readonly excerpt: SharedFigures['excerpt'];
  /** Encodings and compressors, as measured on the original input. */
  readonly matrix: SharedFigures['matrix'];
  /** Bits that fields pay in compressed streams, as measured on the original input. */
  readonly bits: NonNullable<SharedFigures['bits']> | null;
  /** The same of B of a comparison, by compressor. */
  readonly pairBits?: PairBits;
  /**
   * The messages that the shared view chose, until as many messages are read as there were: the input may have changed,
   * or needs the sender's TLS keys. Absent: they are chosen, or there were none to choose.
   */
  readonly awaited?: { readonly ordinals: MessageScope['ordinals']; readonly selection: Selection };
}

/** A of a comparison: its kept figures. B is the open input. */
export interface KeptSide {
  readonly name: string;
  readonly profile: Profile;
  /** Bytes of its messages as they were captured, compressed or not; absent: it is not known. */
  readonly captured?: number;
  /** Where its messages can be read again, so that A and B can change places; absent: only its figures are known. */
  readonly from?: {
    readonly input: OpenInput;
    readonly scope: MessageScope;
    readonly shown: string | null;
    /** Its source, if it was shared. */
    readonly sharedFrom: SharedFrom | null;
    /** How the worker measures it again. */
    readonly measured: ShownMessages;
  };
  /** Bits that its fields pay after the compressors measured so far; null: they cannot be measured. */
  readonly bits?: Readonly<Partial<Record<PairStreams, BitsFacts | null>>>;
}

export type PairBits = Readonly<Partial<Record<PairStreams, BitsFacts>>>;

export interface Job {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly progress: Progress | null;
}

/** A full screen: what failed, where, and what to do. */
export interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly remedy: string;
  /** Whether the user should reload the page. */
  readonly isReload?: boolean;
}

/** The file of the descriptors that servers sent in a capture. */
export const REFLECTED_FILE = 'server-reflection.binpb';

export interface SessionState {
  readonly schemaFiles: readonly SchemaFile[];
  /** The user's schema files while a sample or a link shows its own; null: `schemaFiles` are the user's. */
  readonly setAside: readonly SchemaFile[] | null;
  /** Whether this browser keeps the open input; null: not known, or it has an address elsewhere. */
  readonly kept: Keeping | null;
  /** The link in the address that brought the loaded files; null: they have another source. */
  readonly schemaLink: {
    readonly link: string;
    readonly files: readonly SchemaFile[];
    /** Files of the second version; null: it has none. */
    readonly other: readonly SchemaFile[] | null;
  } | null;
  /** Whether this browser keeps the person's schema files. */
  readonly isSchemaKept: boolean;
  /** Path of the file in the editor. */
  readonly openFile: string | null;
  /** The position to scroll to once; a new object is a new request. */
  readonly openAt: { readonly line: number; readonly column: number } | null;
  /** Paths of the files with a tab, if not all files have one. */
  readonly schemaTabs: readonly string[];
  /** Read-only texts of files that are not loaded; null: no such file. They are dropped when the schema changes. */
  readonly readTexts: Readonly<Record<string, ReadText | null>>;
  readonly schema: SchemaSummary | null;
  /** A second version of the schema, for comparison. */
  readonly otherSchema: SchemaSummary | null;
  readonly otherFiles: readonly SchemaFile[];
  readonly input: OpenInput | null;
  /** TLS secrets, only in this tab's memory; null: none. */
  readonly keyLog: { readonly lines: string; readonly connections: number } | null;
  readonly sharedFrom: SharedFrom | null;
  /** Captures that were dropped together. Each can be opened, or compared as A or B. */
  readonly dropped: readonly File[];
  readonly baseline: KeptSide | null;
  /** A link that wants to fetch from `origin`, until it is answered. */
  readonly consent: {
    readonly shared: Shared;
    readonly from: CameFrom;
    readonly origin: string;
  } | null;
  readonly inputSummary: InputSummary | null;
  /** How each group of a capture is read, by its key. */
  readonly groupReadings: Readonly<Record<string, GroupReading>>;
  /** The shipped schemas, with or without the layouts; null: they were not needed yet. */
  readonly bundled: (BundledSummary & { readonly isWhole: boolean }) | null;
  /** The plan for payloads and for captured messages without a named type. */
  readonly plan: ReadingPlan | null;
  readonly analysis: Analysis | null;
  readonly inspection: Inspection | null;
  /** Bits that fields pay after compression, as last measured; null: not measured. */
  readonly bits: BitsAnswer | null;
  /** Bits that the fields of B of a comparison pay, by compressor. */
  readonly pairBits: Readonly<Partial<Record<PairStreams, BitsAnswer>>>;
  /** Savings if a field is left out, as measured so far; null: none. */
  readonly saved: SavedMeasurement | null;
  /** Encodings and compressors as last measured; null: not measured. */
  readonly matrix: MatrixAnswer | null;
  readonly job: Job | null;
  readonly failure: Failure | null;
  /** The field under the pointer: previewed in all views, but not selected. */
  readonly hover: { readonly path: string | null; readonly row: RowAddress | null };
}

export const NO_HOVER: SessionState['hover'] = { path: null, row: null };

export const INITIAL_SESSION: SessionState = {
  schemaFiles: [],
  setAside: null,
  schemaLink: null,
  kept: null,
  dropped: [],
  isSchemaKept: true,
  openFile: null,
  openAt: null,
  schemaTabs: [],
  readTexts: {},
  schema: null,
  otherSchema: null,
  otherFiles: [],
  input: null,
  keyLog: null,
  sharedFrom: null,
  baseline: null,
  consent: null,
  inputSummary: null,
  groupReadings: {},
  bundled: null,
  plan: null,
  analysis: null,
  inspection: null,
  bits: null,
  pairBits: {},
  saved: null,
  matrix: null,
  job: null,
  failure: null,
  hover: NO_HOVER,
};
