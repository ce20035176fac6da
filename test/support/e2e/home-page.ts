/** A person's own page in the Home tab of the app. */
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { HomeSeen } from '../../../sandbox/slack/people/seen.ts';

/** Opens the page, and waits until it shows this. */
export async function opens(who: Person, text: string | RegExp) {
  who.openHome();
  return who.waitForHome((home) => matches(home, text));
}

export const shows = (who: Person, text: string | RegExp) => who.waitForHome((home) => matches(home, text));

const matches = ({ text }: HomeSeen, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);

/** Presses a button beneath the request for an order. */
export async function press(who: Person, order: string, action: string) {
  const blocks = who.home()?.view.blocks ?? [];
  const from = blocks.findIndex((block) => JSON.stringify(block).includes(`${order}*`));
  const block = blocks.slice(from).find((each) => each.type === 'actions');
  return who.click(`${block?.block_id}/${action}`, 'home');
}
