/** Zeros that follow a value: the one that ends it, or those up to the boundary that its form asks for. */
import type { ValueForm } from './layout.ts';

/** `size`: bytes of the text or bytes, their length not included. */
export function paddingOf(form: ValueForm, size: number): number {
  if (form.kind === 'ended') return 1;
  if ((form.kind !== 'string' && form.kind !== 'bytes') || form.padding === undefined) return 0;
  return (form.padding - (size % form.padding)) % form.padding;
}
