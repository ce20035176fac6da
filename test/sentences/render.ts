/** Renders what the bot says as plain text, the way that Slack shows it. */
import type { types } from '@slack/bolt';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { renderMrkdwn } from '../../sandbox/slack/render/render.ts';
import { appSettings } from '../../sandbox/slack/world/app/settings.ts';
import { SEED, seedWorld } from '../../sandbox/slack/world/seed/seed.ts';
import { createWorld } from '../../sandbox/slack/world/world.ts';
import { type Surface, T0 } from '../../src/catalogue/examples.ts';
import type { Message } from '../../src/slack/blocks/text.ts';
import { shownIn } from '../support/shown.ts';

const world = createWorld(() => T0, appSettings({ journal: createJournal() }));
seedWorld(world);

/** The ids of test/support, as people and channels of the seeded workspace. */
const SEEDED: Readonly<Record<string, string>> = {
  U1: SEED.users.ana,
  UANA: SEED.users.ben,
  UCARA: SEED.users.cara,
  UDEV: SEED.users.dev,
  UOLGA: SEED.users.olga,
  C1: SEED.channels.support,
  C2: SEED.channels.approvals,
  S1: SEED.groups.approvers,
};

/** mrkdwn as a person reads it. */
export function said(text: string): string {
  const seeded = text.replace(/(?<=[@#^])(\w+)(?=[>|])/g, (id) => SEEDED[id] ?? id);
  return renderMrkdwn(world, seeded.replace(/<!date\^\d+\^([^|]+)\|[^>]+>/g, date));
}

/** One moment for all, so that no sentence comes twice because of its time. */
const date = (_token: string, format: string): string =>
  format.replace('{ago}', '2 hours ago').replace('{date_short_pretty}', 'today').replace('{time}', '1:00 PM');

/** All texts of a message, its buttons in brackets at the end. */
export function message({ text, blocks }: Message): string {
  const shown = blocks.filter(({ type }) => type !== 'actions');
  const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  const lines = buttons.flatMap((button) => (button.type === 'button' ? confirmable(button) : []));
  return [said(shownIn({ text, blocks: shown })), ...lines].filter(Boolean).join('\n');
}

/** A button, with the question that it asks first. */
function confirmable({ text, confirm }: types.Button): string[] {
  if (!confirm) return [`[${text.text}]`];
  const { title, text: question, confirm: yes, deny: no } = confirm;
  return [`[${text.text}] ${title?.text} ${question.text} [${yes?.text}] [${no?.text}]`];
}

export function drawn(surface: Surface): string {
  if (typeof surface === 'string') return said(surface);
  if ('html' in surface) return page(surface.html);
  if (!('type' in surface)) return message(surface);
  return surface.type === 'modal' ? modal(surface) : said(shownIn({ text: '', blocks: surface.blocks }));
}

/** All texts of a modal, with its buttons. */
export function modal({ title, blocks, submit, close }: types.ModalView): string {
  const buttons = [submit, close].flatMap((button) => (button ? [`[${button.text}]`] : []));
  return [`(${title.text})`, said(shownIn({ text: '', blocks })), buttons.join(' ')]
    .filter(Boolean)
    .join('\n');
}

/** A page for a browser, without its markup. */
function page(html: string): string {
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(html) ?? [];
  return main.replaceAll(/<[^>]+>/g, '').trim();
}
