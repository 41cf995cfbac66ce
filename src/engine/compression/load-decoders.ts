/** The decoders of bodies. They load with the first compressed body. */
export type Decoders = typeof import('./registry.ts');

let loaded: Decoders | null = null;

export async function loadDecoders(): Promise<Decoders> {
  loaded ??= await import('./registry.ts');
  return loaded;
}

/** null: they are not loaded yet. */
export const loadedDecoders = (): Decoders | null => loaded;
