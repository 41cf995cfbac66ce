/** 2 with text of twice the usual size: for what is measured in pixels and holds text, such as the rows of a long list. */
import { useEffect, useState } from 'react';
import { remPixels } from '#state/rem-pixels.ts';

const textScale = (): number => remPixels() / 16;

export function useTextScale(): number {
  const [scale, setScale] = useState(textScale);
  useEffect(() => {
    const read = (): void => setScale(textScale());
    addEventListener('resize', read);
    return () => removeEventListener('resize', read);
  }, []);
  return scale;
}

/** Rows of another height have other places. */
export function usePlacesOf(rows: { readonly measure: () => void }, height: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because the height changed
  useEffect(() => rows.measure(), [rows, height]);
}
