import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe finds wrong on a page; where, and why. */
export async function violations(page: Page) {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
}
