/** The sizes that a person gave to panes, in percent of their group, remembered in this browser. */

export type PaneSizes = Readonly<Record<string, number>>;

const KEY = 'wirecost.panes.';

/** The browser may deny storage; then nothing is remembered. */
export function paneSizes(group: string): PaneSizes | undefined {
  try {
    return JSON.parse(localStorage[KEY + group]);
  } catch {
    return undefined;
  }
}

export function keepPaneSizes(group: string, sizes: PaneSizes): void {
  try {
    localStorage[KEY + group] = JSON.stringify({ ...paneSizes(group), ...sizes });
  } catch {
    // They are not remembered.
  }
}

/** The properties of a group of panes that opens in the sizes it had last. */
export function remembered(id: string) {
  const sizes = paneSizes(id);
  return {
    id,
    ...(sizes && { defaultLayout: sizes }),
    onLayoutChanged: (layout: PaneSizes, { isUserInteraction }: { readonly isUserInteraction: boolean }): void => {
      if (isUserInteraction) keepPaneSizes(id, layout);
    },
  };
}
