/** Light, dark, or as the system has it; remembered in this browser. colors.css does the rest. */

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const KEY = 'wirecost.theme';

/** Storage may be closed to the page; then nothing is remembered. */
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
