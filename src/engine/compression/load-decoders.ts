/** The decoders of bodies. They load with the first compressed body. */
import { needed } from '../model/needed-file.ts';

export type Decoders = typeof import('./registry.ts');

let loaded: Decoders | null = null;

export async function loadDecoders(): Promise<Decoders> {
  loaded ??= await needed(() => import('./registry.ts'));
  return loaded;
}

/** null: they are not loaded yet. */
export const loadedDecoders = (): Decoders | null => loaded;
