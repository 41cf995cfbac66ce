/** Light, dark, or the system's scheme; remembered in this browser. colors.css applies it. */

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const KEY = 'wirecost.theme';

/** The browser may deny storage; then nothing is remembered. */
export function readTheme(): ThemeChoice {
  try {
    return THEME_CHOICES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice is not remembered.
  }
}
