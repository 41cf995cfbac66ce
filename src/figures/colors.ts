/** charts/colors.css → the values of one theme, and markup that names colours → markup that holds them. */

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** `--ink` → `#191c20`. */
export type Colors = ReadonlyMap<string, string>;

export function readColors(css: string, theme: Theme): Colors {
  const colors = new Map<string, string>();
  for (const [, name, light, dark] of css.matchAll(/(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
    colors.set(name!, theme === 'light' ? light! : dark!);
  }
  for (const [, name, of] of css.matchAll(/(--[\w-]+): var\((--[\w-]+)\)/g)) colors.set(name!, colors.get(of!)!);
  return colors;
}

/** Every `var(--ink)` by its value: a standalone picture has no style sheet. */
export const inColors = (markup: string, colors: Colors): string =>
  markup.replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
    const value = colors.get(name);
    if (value === undefined) throw new Error(`colors.css has no ${name}`);
    return value;
  });
