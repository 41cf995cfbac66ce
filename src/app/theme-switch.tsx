/** Three states in one button: system, light, dark. */
import { type ReactNode, useState } from 'react';
import { applyTheme, readTheme, THEME_CHOICES, type ThemeChoice } from './theme-choice.ts';

const WORDS: Readonly<Record<ThemeChoice, string>> = { system: 'as in the system', light: 'light', dark: 'dark' };

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(readTheme);
  const next = THEME_CHOICES[(THEME_CHOICES.indexOf(theme) + 1) % THEME_CHOICES.length]!;
  return (
    <button
      type="button"
      className="control"
      aria-label={`Theme: ${WORDS[theme]}. Change to ${WORDS[next]}`}
      title={`Theme: ${WORDS[theme]}`}
      onClick={() => {
        applyTheme(next);
        setTheme(next);
      }}
    >
      <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
        <circle cx={7} cy={7} r={5.5} fill={theme === 'dark' ? 'currentColor' : 'none'} stroke="currentColor" />
        {theme === 'system' && <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />}
      </svg>
    </button>
  );
}
