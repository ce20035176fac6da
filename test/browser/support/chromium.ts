/** A real browser for tests: one for a worker, and in each test a fresh context. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { beforeEach, onTestFinished } from 'vitest';
import { findChromium, launchChromium } from '../../../sandbox/lib/chromium.ts';

/** A machine of ours must have it; anybody else reads what was skipped. */
const MUST_HAVE = process.env['CI'] === 'true';

/** It ends with the worker, by the pipe between them. */
let launched: Promise<Browser> | undefined;

/** Before every test: skips it by name where there is no browser, or fails with CI=true. */
export function needsChromium(): void {
  const missing = findChromium() === undefined;
  beforeEach(({ skip }) => {
    if (missing && MUST_HAVE) throw new Error('There is no Chromium on PATH, and none in CHROMIUM.');
    skip(missing, 'there is no Chromium');
  });
}

/** A browser of a person's own, as if on another machine. What the page throws fails the test. */
export async function freshContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  launched ??= launchChromium();
  const context = await (await launched).newContext({ viewport: { width: 1500, height: 900 }, ...options });
  context.setDefaultTimeout(10_000);
  const errors: Error[] = [];
  context.on('weberror', (error) => errors.push(error.error()));
  onTestFinished(async () => {
    await context.close();
    if (errors[0]) throw errors[0];
  });
  return context;
}
