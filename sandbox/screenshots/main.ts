/** `npm run screenshots`: plays the bot in a browser, and puts the pictures of the README into docs/. */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { connect } from '../connect.ts';
import { openDesk } from '../desk.ts';
import { launchChromium } from '../lib/chromium.ts';
import { readMenu } from '../lib/manifest.ts';
import { bundleClient } from '../page/server/bundle.ts';
import { startPage } from '../page/server/server.ts';
import { SEED } from '../slack/world/seed/seed.ts';
import { PICTURES, type Picture } from './pictures.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Opens the page as somebody; the dock is folded away, unless the picture is of it. */
async function openPage(picture: Picture, context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(picture.size);
  await page.goto(`${origin}/?as=${SEED.users[picture.as]}`);
  const dock = page.getByRole('button', { name: 'Backstage' });
  const isOpen = (await dock.getAttribute('aria-expanded')) === 'true';
  if (isOpen !== (picture.showsBackstage ?? false)) await dock.click();
  return page;
}

const [desk, code, browser] = await Promise.all([openDesk(), bundleClient(), launchChromium()]);
try {
  await connect(desk);
  const server = await startPage({ ...desk, transport: 'http', menu: readMenu(), code });
  const context = await browser.newContext({ deviceScaleFactor: 1.5 });
  for (const picture of PICTURES) {
    const page = await openPage(picture, context, server.origin);
    await picture.play(page, desk);
    await page.screenshot({ path: join(DOCS, picture.file) });
    await page.close();
    process.stdout.write(`docs/${picture.file}\n`);
  }
  await server.close();
} finally {
  await browser.close();
  await desk.close();
}
