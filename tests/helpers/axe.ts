/** What axe says of a page, in both themes. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules that a theme can break. All others look at structure and sizes, which both themes share. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

export interface AuditOptions {
  /** A selector; `html` when left out. */
  readonly within?: string;
  /** Ids of rules that do not hold here. */
  readonly without?: readonly string[];
}

/**
 * Every rule in the dark theme, then the rules about colours in the light one: a line for each violation with its
 * theme, rule and elements, so `[]` when there is none. The page follows the system's theme and ends in the dark one.
 */
export async function accessibilityProblems(page: Page, options: AuditOptions = {}): Promise<string[]> {
  const problems: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    // Without motion, so that no colour is measured halfway.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    const { violations } = await audit(page, options, theme === 'light' ? COLOUR_RULES : undefined);
    for (const { id, nodes } of violations)
      problems.push(`${theme}: ${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`);
  }
  return problems;
}

/** Only violations are read, so axe need not describe what passed: that took longer than the audit itself. */
const RUN = { resultTypes: ['violations'] } satisfies Parameters<AxeBuilder['options']>[0];

async function audit(page: Page, { within = 'html', without = [] }: AuditOptions, only: string[] | undefined) {
  const isThere = await page.evaluate(() => 'axe' in window);
  // The program is half a megabyte, and the builder would have the page read it again at each audit.
  const made = new AxeBuilder(isThere ? { page, axeSource: ';' } : { page });
  // In legacy mode, axe opens no second page: an app's context has one page.
  // A copy: the builder writes the chosen rules into its options, and the next audit would be held to them.
  const axe = made
    .options({ ...RUN })
    .setLegacyMode(true)
    .include(within);
  return (only === undefined ? axe.disableRules([...without]) : axe.withRules(only)).analyze();
}
