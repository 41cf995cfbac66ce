/** The journey in one function: an input, a schema and a native profile in; profiles and findings out. */
import type { ReadControl, Source } from './bytes/source.ts';
import { Ledgers } from './cost/ledgers.ts';
import type { Profile } from './cost/profile.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { MessageSink } from './frame/message.ts';
import { type InputChoice, type InputFacts, readPayloads } from './frame/payload.ts';
import type { Overrides } from './native/derive.ts';
import type { NativeProfile } from './native/profiles.ts';
import type { MessageDescriptor } from './schema/descriptor.ts';
import { annotate } from './wire/annotate.ts';
import { Met } from './wire/scan.ts';

/** Messages that have something to say are annotated for it; beyond so many, they are only counted. */
const EXPLAINED_MESSAGES = 100;
const MAX_DIAGNOSTICS = 1000;

export interface AnalyzeRequest {
  /** undefined: field numbers only. */
  readonly type: MessageDescriptor | undefined;
  readonly nativeProfile: NativeProfile;
  readonly overrides?: Overrides;
  /** Takes the messages that belong to the analysis; all, if there is none. */
  readonly selects?: (ordinal: number) => boolean;
}

export interface Findings {
  readonly profile: Profile;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Report extends Findings {
  readonly input: InputFacts;
}

/** Reads the input once and enters every message. Rejects only as `source.read` does, or when cancelled. */
export async function analyze(
  source: Source,
  choice: InputChoice,
  request: AnalyzeRequest,
  control: ReadControl = {},
): Promise<Report> {
  const analysis = new Analysis(request);
  const input = await readPayloads(source, choice, analysis.enter, control);
  return { input, ...analysis.findings() };
}

/** Collects messages from whatever reads them. */
export class Analysis {
  private readonly request: AnalyzeRequest;
  private readonly ledgers: Ledgers;
  private readonly diagnostics: Diagnostic[] = [];
  private explained = 0;
  private unexplained = 0;

  constructor(request: AnalyzeRequest) {
    this.request = request;
    this.ledgers = new Ledgers(request.type, request.nativeProfile, request.overrides);
  }

  readonly enter: MessageSink = ({ ordinal }, payload) => {
    if (this.request.selects?.(ordinal) === false) return;
    const met = this.ledgers.add(payload);
    if ((met & (Met.FAULT | Met.NOTE)) === 0) return;
    if (this.explained === EXPLAINED_MESSAGES || this.diagnostics.length >= MAX_DIAGNOSTICS) {
      this.unexplained++;
      return;
    }
    this.explained++;
    for (const diagnostic of annotate(payload, this.request.type).diagnostics) {
      if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push({ ...diagnostic, ordinal });
    }
  };

  findings(): Findings {
    const diagnostics = [...this.diagnostics];
    if (this.unexplained > 0) {
      diagnostics.push({
        code: 'wire/more-findings',
        severity: 'info',
        message: `${this.unexplained} more messages have findings; open one to see them.`,
        space: 'capture',
        start: 0,
        end: 0,
      });
    }
    return { profile: this.ledgers.profile(), diagnostics };
  }
}
