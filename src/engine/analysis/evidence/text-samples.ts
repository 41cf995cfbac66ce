/** Samples of captured texts, one sample for each format. */
import type { PayloadFormat } from '../../model/payload-format.ts';
import { SpreadSample } from '../measure/spread-sample.ts';

/** Limits of the sample that types are compared with: texts, and bytes in total. */
const SAMPLE_TEXTS = 50;
const SAMPLE_BYTES = 1 << 20;

export class TextSamples {
  readonly #samples = new Map<PayloadFormat, SpreadSample>();

  of(format: PayloadFormat): SpreadSample {
    let sample = this.#samples.get(format);
    if (sample === undefined) {
      sample = new SpreadSample(SAMPLE_TEXTS, SAMPLE_BYTES);
      this.#samples.set(format, sample);
    }
    return sample;
  }

  /** The format with the most texts; null: there were no texts. */
  get most(): { readonly format: PayloadFormat; readonly sample: SpreadSample } | null {
    const [most] = [...this.#samples].sort(([, a], [, b]) => b.seen - a.seen);
    return most === undefined ? null : { format: most[0], sample: most[1] };
  }
}
