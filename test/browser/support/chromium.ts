/** A real browser for tests: one for a worker, and in each test a fresh context. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium, launchChromium } from '../../../sandbox/lib/chromium.ts';
import { needs } from '../../support/needs.ts';

/** It ends with the worker, by the pipe between them. */
let launched: Promise<Browser> | undefined;

export const needsChromium = () => needs(findChromium() !== undefined, 'Chromium on PATH or in CHROMIUM');

/** A browser of a person's own, as if on another machine. What the page throws fails the test. */
export async function freshContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  launched ??= launchChromium();
  const context = await (await launched).newContext({ viewport: { width: 1500, height: 900 }, ...options });
  // Reached only by something that never happens, however busy the machine is.
  context.setDefaultTimeout(60_000);
  const errors: Error[] = [];
  context.on('weberror', (error) => errors.push(error.error()));
  onTestFinished(async () => {
    await context.close();
    if (errors[0]) throw errors[0];
  });
  return context;
}
