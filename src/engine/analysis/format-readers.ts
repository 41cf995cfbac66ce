/**
 * Readers of payloads that were captured in a format other than protobuf. Each is loaded when it is first requested.
 */
import { CAPTURED_FORMATS } from '../encodings/captured-encodings.ts';
import type { FormatReader } from '../encodings/format-read.ts';
import type { PayloadFormat } from '../model/payload-format.ts';
import { type TypeLibrary, typeNamed } from './plan/group-readings.ts';

export const formatReader = (format: PayloadFormat, library: TypeLibrary): Promise<FormatReader> =>
  CAPTURED_FORMATS[format].loadReader((name) => typeNamed(library, name));

/** Readers by format, each made once. */
export class FormatReaders {
  readonly #library: TypeLibrary;
  readonly #readers = new Map<PayloadFormat, FormatReader>();

  constructor(library: TypeLibrary) {
    this.#library = library;
  }

  async of(format: PayloadFormat): Promise<FormatReader> {
    let reader = this.#readers.get(format);
    if (reader === undefined) {
      reader = await formatReader(format, this.#library);
      this.#readers.set(format, reader);
    }
    return reader;
  }
}
