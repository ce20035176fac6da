/** Drives the page as a person does. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { freshContext } from './chromium.ts';

export type PersonPage = Awaited<ReturnType<typeof openAs>>;

/** Opens the page in a browser of the person's own. @param who a name of the seeded workspace */
export async function openAs(
  address: string,
  who: keyof typeof SEED.users,
  conversation = '#support',
  options: BrowserContextOptions = {},
) {
  const context = await freshContext(options);
  const page: Page = await context.newPage();
  const sidebar = () => page.getByRole('navigation', { name: 'Workspace', exact: true });
  const channel = () => page.getByRole('main');
  await page.goto(`${address}/?as=${SEED.users[who]}`);
  await channel().waitFor();
  if (conversation !== '#support') await openConversation(conversation);

  function openConversation(name: string) {
    const named = sidebar().getByRole('button', { name });
    // An app has two: its Home, and the messages with it.
    return (name.endsWith(', Home') ? named : named.filter({ hasNotText: ', Home' })).click();
  }

  const composer = () => page.getByRole('textbox', { name: /^Message / });
  const modal = () => page.getByRole('dialog');
  const thread = () => page.getByRole('complementary', { name: 'Thread' });
  const message = (text: string | RegExp, within: Locator = channel()) =>
    within.getByRole('article').filter({ hasText: text });

  return {
    page,
    composer,
    modal,
    channel,
    thread,
    message,
    openConversation,
    /** A reply in the open thread; the card itself stands above them. */
    reply: (text: string | RegExp) =>
      message(text, thread()).and(thread().locator('article:not(:first-of-type)')),
    /** Types a command, or a message, and sends it. */
    async send(text: string) {
      await composer().fill(text);
      await composer().press('Enter');
    },
    /** Chooses an entry of the menu of a message, as one of the app's shortcuts. */
    async chooseOf(text: string | RegExp, entry: string) {
      await message(text).hover();
      await message(text).getByRole('button', { name: 'More actions' }).click();
      await message(text).getByRole('button', { name: entry, exact: true }).click();
    },
    /** Types into a select, and takes the option. */
    async choose(field: string | RegExp, option: string | RegExp) {
      await modal().getByRole('combobox', { name: field }).click();
      await page.getByRole('listbox').getByRole('option', { name: option }).click();
    },
    submit: () => modal().locator('button[type=submit]').click(),
    async openThreadOf(text: string | RegExp) {
      await message(text)
        .getByRole('button', { name: /repl(y|ies)/ })
        .click();
      await thread().waitFor();
    },
    async react(text: string | RegExp, reaction: string) {
      await message(text).hover();
      await message(text)
        .getByRole('button', { name: `React with ${reaction}` })
        .click();
    },
    inspector: (tab: 'Try it' | 'Order service' | 'Workspaces' | 'Traffic') =>
      page.getByRole('tab', { name: tab }).click(),
  };
}

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => each === each.ownerDocument.activeElement);
