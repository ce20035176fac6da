/** `npm run screenshots`: uses the bot in a browser, and saves the pictures in docs/. */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { connect } from '../connect.ts';
import { launchChromium } from '../lib/chromium.ts';
import { readMenu } from '../lib/manifest.ts';
import { sayOpening } from '../opening.ts';
import { bundleClient } from '../page/server/bundle.ts';
import { startPage } from '../page/server/server.ts';
import { SEED } from '../slack/world/seed/seed.ts';
import { startSandbox } from '../start.ts';
import { PICTURES, type Picture } from './pictures.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Opens the page as a person; the dock is hidden unless the picture shows it. */
async function openPage(picture: Picture, context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(picture.size);
  await page.goto(`${origin}/?as=${SEED.users[picture.as]}`);
  const dock = page.getByRole('button', { name: 'Inspector' });
  const isOpen = (await dock.getAttribute('aria-expanded')) === 'true';
  if (isOpen !== (picture.showsInspector ?? false)) await dock.click();
  return page;
}

const [sandbox, code, browser] = await Promise.all([startSandbox(), bundleClient(), launchChromium()]);
try {
  await connect(sandbox);
  sayOpening(sandbox);
  const server = await startPage({ ...sandbox, transport: 'http', menu: readMenu(), code });
  const context = await browser.newContext({ deviceScaleFactor: 1.5 });
  for (const picture of PICTURES) {
    const page = await openPage(picture, context, server.origin);
    await picture.play(page, sandbox);
    await page.screenshot({ path: join(DOCS, picture.file) });
    await page.close();
    process.stdout.write(`docs/${picture.file}\n`);
  }
  await server.close();
} finally {
  await browser.close();
  await sandbox.close();
}
