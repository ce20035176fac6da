/** `npm run screenshots`: uses the bot in a browser, and saves the pictures in docs/. */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { connect } from '../connect.ts';
import { needApproval, TWO_APPROVERS } from '../fill-policy.ts';
import { readArguments } from '../lib/arguments.ts';
import { launchChromium } from '../lib/chromium.ts';
import { readMenu } from '../lib/manifest.ts';
import { bundleClient } from '../page/server/bundle.ts';
import { startPage } from '../page/server/server.ts';
import { SEED } from '../slack/world/seed/seed.ts';
import { type Sandbox, sayOpening, startSandbox } from '../start.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** A picture: its viewer, and the actions before it is taken. Pictures are taken in order, in one sandbox. */
type Picture = {
  file: string;
  as: keyof typeof SEED.users;
  size: { width: number; height: number };
  showsInspector?: true;
  play(page: Page, sandbox: Sandbox): Promise<unknown>;
};

const command = async (page: Page, line: string) => {
  const composer = page.getByRole('textbox', { name: 'Message #support' });
  await composer.fill(line);
  await composer.press('Enter');
};

async function giveReason(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Ordered twice' }).click();
}

const messageWith = (page: Page, text: string | RegExp) =>
  page.getByRole('article').filter({ hasText: text });

/** Removes the traces of mouse and keyboard (hover, focus). */
async function rest(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
}

/** Opens the person's Home tab, and waits until it shows a text. */
async function home(page: Page, text: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Workspace', exact: true })
    .getByRole('button', { name: 'Countermand, Home' })
    .click();
  await page.getByRole('region', { name: 'Your page' }).getByText(text).first().waitFor();
  await rest(page);
}

const PICTURES: readonly Picture[] = [
  {
    file: 'modal.png',
    as: 'ana',
    size: { width: 1100, height: 680 },
    play: async (page) => {
      await command(page, '/cancel-order A-2001');
      await giveReason(page);
      await rest(page);
    },
  },
  {
    file: 'card.png',
    as: 'ana',
    size: { width: 1100, height: 560 },
    play: async (page, { service }) => {
      // The modal is still open in Slack, but what was entered stood only on the page of the picture before.
      await giveReason(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Request cancellation' }).click();
      const card = messageWith(page, 'Cancel order A-2001');
      await card.getByRole('button', { name: '1 reply' }).click();
      service.approve('A-2001');
      await card.getByRole('button', { name: '2 replies' }).waitFor();
      await card.getByRole('button', { name: 'Reply to the customer' }).first().waitFor();
      await rest(page);
    },
  },
  {
    file: 'approval.png',
    as: 'cara',
    size: { width: 1100, height: 520 },
    play: async (page, sandbox) => {
      await needApproval(sandbox, TWO_APPROVERS);
      const ana = sandbox.slack.person('ana');
      await ana.command('/cancel-order A-1005 Wrong size, wants the blue one', { channel: '#support' });
      await ana.waitForModal();
      await ana.submit();
      await page.getByRole('button', { name: 'approvals' }).click();
      const approvalMessage = messageWith(page, 'A-1005');
      await approvalMessage.hover();
      await approvalMessage.getByRole('button', { name: 'React with white_check_mark' }).click();
      await messageWith(page, '(1 of 2').waitFor();
      await rest(page);
    },
  },
  {
    file: 'sandbox.png',
    as: 'ana',
    size: { width: 1400, height: 760 },
    showsInspector: true,
    play: async (page) => {
      await messageWith(page, 'Cancel order A-2001').getByRole('button', { name: '2 replies' }).click();
      await page.getByRole('tab', { name: 'Traffic' }).click();
      await rest(page);
    },
  },
  {
    file: 'home-agent.png',
    as: 'ana',
    size: { width: 1100, height: 720 },
    play: (page) => home(page, 'Cancel order A-1005'),
  },
  {
    file: 'home-approver.png',
    as: 'dev',
    size: { width: 1100, height: 520 },
    play: (page) => home(page, 'Cancel order A-1005'),
  },
  {
    file: 'home-admin.png',
    as: 'olga',
    size: { width: 1100, height: 1010 },
    play: (page) => home(page, 'Latest acts'),
  },
];

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

readArguments('npm run screenshots', {});
const [sandbox, code, browser] = await Promise.all([startSandbox(), bundleClient(), launchChromium()]);
try {
  await connect(sandbox);
  sayOpening(sandbox);
  const server = await startPage({ ...sandbox, transport: 'http', menu: readMenu(), code });
  const context = await browser.newContext({ deviceScaleFactor: 1.5 });
  for (const picture of PICTURES) {
    const page = await openPage(picture, context, server.origin);
    await picture.play(page, sandbox);
    await page.screenshot({ path: join(DOCS, picture.file), animations: 'disabled' });
    await page.close();
    process.stdout.write(`docs/${picture.file}\n`);
  }
  await server.close();
} finally {
  await browser.close();
  await sandbox.close();
}
