import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Returns the violations that axe finds on a page, with their elements and reasons. In the legacy mode it opens no second page
 * to join the results of frames, which takes as long again: no page of ours has frames.
 */
export async function violations(page: Page) {
  const found = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return found.violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
}
