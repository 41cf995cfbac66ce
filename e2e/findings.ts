/** Findings of the accessibility check in the current page, in both themes. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules that depend on colours: of the others the second theme says what the first one said. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** @param within a selector; the whole page where it is left out */
export async function findings(page: Page, within = 'html'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours may take their time to change.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
    // No frames to gather from: the mode for them opens a blank page for each check, half of its time.
    const check = new AxeBuilder({ page })
      .include(within)
      .options({ resultTypes: ['violations'] })
      .setLegacyMode();
    if (colorScheme === 'dark') check.withRules(OF_COLOURS);
    for (const { id, help, nodes } of (await check.analyze()).violations) {
      found.push(...nodes.map(({ target }) => `${colorScheme}: ${id}: ${help}: ${target.join(' ')}`));
    }
  }
  return found;
}
