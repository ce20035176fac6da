import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Returns the violations that axe finds on a page, with their elements and reasons. */
export async function violations(page: Page) {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
}
