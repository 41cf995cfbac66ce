/** What fields pay in several compressed bodies, added up. */
import type { Container, ContainerItem } from '../compression/bits/container.ts';
import { CATEGORIES } from '../model/annotation.ts';
import type { ByCategory, FieldBits } from './field-bits.ts';

export interface BitTotals {
  readonly bodies: number;
  readonly plainBytes: number;
  readonly compressedBytes: number;
  readonly container: Readonly<Partial<Record<ContainerItem, number>>>;
  /** By path, in the order in which they first occur. */
  readonly fields: readonly FieldBits[];
}

export class BitTally {
  #bodies = 0;
  #plainBytes = 0;
  #compressedBytes = 0;
  readonly #container = new Map<ContainerItem, number>();
  readonly #fields = new Map<string, FieldBits>();

  add(plainBytes: number, compressedBytes: number, container: Container, fields: readonly FieldBits[]): void {
    this.#bodies++;
    this.#plainBytes += plainBytes;
    this.#compressedBytes += compressedBytes;
    for (const [item, bits] of Object.entries(container.items) as [ContainerItem, number][]) {
      this.#container.set(item, (this.#container.get(item) ?? 0) + bits);
    }
    for (const field of fields) {
      const before = this.#fields.get(field.path);
      if (before === undefined) this.#fields.set(field.path, field);
      else this.#fields.set(field.path, merged(before, field));
    }
  }

  totals(): BitTotals {
    return {
      bodies: this.#bodies,
      plainBytes: this.#plainBytes,
      compressedBytes: this.#compressedBytes,
      container: Object.fromEntries(this.#container),
      fields: [...this.#fields.values()],
    };
  }
}

function merged(a: FieldBits, b: FieldBits): FieldBits {
  const both = { path: a.path, bytes: sum(a.bytes, b.bytes), paid: sum(a.paid, b.paid) };
  return a.shared === undefined || b.shared === undefined ? both : { ...both, shared: sum(a.shared, b.shared) };
}

const sum = (a: ByCategory, b: ByCategory): ByCategory =>
  Object.fromEntries(
    CATEGORIES.flatMap((category) => {
      const amount = (a[category] ?? 0) + (b[category] ?? 0);
      return a[category] === undefined && b[category] === undefined ? [] : [[category, amount]];
    }),
  );
