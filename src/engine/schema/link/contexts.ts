/**
 * Makes the contexts of linking. They share the order of options: none is read before every extension is known, nor
 * while a type is linked on demand, because the option may be of that type.
 */
import type { ReportFinding } from '../report.ts';
import type { SchemaSymbols } from '../symbols.ts';
import { declareQuietly, type Linking, silent } from './linking.ts';
import { type OptionsReader, type OptionTypes, optionsReader } from './options.ts';

/** Places are kept when a text is linked, and not again when contents are linked on demand. */
export type Places = Pick<SchemaSymbols, 'refer' | 'define'>;
export const UNKEPT: Places = { refer: () => {}, define: () => {} };

/** A context in which findings are reported. */
export type ReportingLinking = Linking & { readonly report: ReportFinding };

export class LinkingContexts {
  readonly #types: OptionTypes;
  readonly #quietReader: OptionsReader;
  /** Options that wait for the last extension. */
  readonly #pending: (() => void)[] = [];
  #areExtensionsLinked = false;
  /** Declarations that are being linked on demand, within one another, and the options that wait for the outermost. */
  #onDemand = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(types: OptionTypes) {
    this.#types = types;
    this.#quietReader = optionsReader(types, UNKEPT, silent);
  }

  /** The context of one type that is linked on demand. */
  readonly quietly = (): Linking => this.#with(undefined, UNKEPT, this.#quietReader, declareQuietly());

  reporting(report: ReportFinding, places: Places, declare: Linking['declare']): ReportingLinking {
    return this.#with(report, places, optionsReader(this.#types, places, report), declare);
  }

  #with<Report extends ReportFinding | undefined>(
    report: Report,
    symbols: Places,
    reader: OptionsReader,
    declare: Linking['declare'],
  ): Linking & { readonly report: Report } {
    const { scope, graph } = this.#types;
    return {
      scope,
      graph,
      symbols,
      report,
      declare,
      withOptions: (read) => {
        if (this.#areExtensionsLinked && this.#onDemand === 0) read(reader);
        else (this.#areExtensionsLinked ? this.#waiting : this.#pending).push(() => read(reader));
      },
      beforeOptions: (link) => {
        this.#onDemand++;
        link();
        this.#onDemand--;
        if (this.#onDemand === 0) for (const read of this.#waiting.splice(0)) read();
      },
    };
  }

  /** Call it when every extension is linked. */
  *readOptions(): Generator<undefined, void> {
    this.#areExtensionsLinked = true;
    for (const read of this.#pending) {
      yield;
      read();
    }
  }
}
