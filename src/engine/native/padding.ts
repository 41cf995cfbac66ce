/** Zeros after a value: the zero that ends it, or padding up to a boundary that its form requires. */
import type { ValueForm } from './layout.ts';

/** `size`: bytes of the text or bytes, without their length prefix. */
export function paddingOf(form: ValueForm, size: number): number {
  if (form.kind === 'ended') return 1;
  if ((form.kind !== 'string' && form.kind !== 'bytes') || form.padding === undefined) return 0;
  return (form.padding - (size % form.padding)) % form.padding;
}
