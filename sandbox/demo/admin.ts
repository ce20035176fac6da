import type { SandboxDesk } from '../desk.ts';
import type { ModalSeen } from '../slack/people/form/see-modal.ts';
import { renderBlocks } from '../slack/render/blocks.ts';
import { renderMrkdwn } from '../slack/render/text.ts';

/** What an admin does, and what everybody can look up: a line about each, for the demo to print. */
export const ADMIN_SCENES: { title: string; play(desk: SandboxDesk): Promise<string> }[] = [
  {
    title: 'Sub-brands',
    play: async (desk) => {
      const ana = desk.slack.person('ana');
      await ana.command('/sub-brands acme', { channel: '#support' });
      const modal = await ana.waitForModal(({ view }) => text(view).includes('in all'));
      await ana.closeModal();
      return texts(desk, modal);
    },
  },
  {
    title: 'The latest requests',
    play: async (desk) => {
      const ana = desk.slack.person('ana');
      await ana.command('/countermand history', { channel: '#support' });
      const modal = await ana.waitForModal(({ view }) => text(view).includes('O-3002'));
      await ana.closeModal();
      return texts(desk, modal);
    },
  },
  {
    title: 'An event about something that nobody asked for here',
    play: async ({ slack, service }) => {
      const order = service.addOrder({ id: 'A-2010', reviewed: true });
      const now = new Date().toISOString();
      order.cancellation = { status: 'approved', reason: 'x', createdAt: now, updatedAt: now };
      service.deliver(service.prepareEvent('A-2010'));
      const told = await slack.waitForMessage({
        channel: '#order-news',
        text: /A-2010.*belongs to no request/,
      });
      return renderMrkdwn(slack.world, told.text);
    },
  },
  {
    title: 'Settings: reasons to choose from, and what an order id looks like',
    play: async (desk) => {
      const [olga, ana] = [desk.slack.person('olga'), desk.slack.person('ana')];
      await olga.command('/countermand settings', { channel: '#support' });
      await olga.waitForModal(({ callback_id }) => callback_id === 'settings');
      await olga.submit({ reasons: 'Too late\nToo dear', order_id_pattern: 'A-####' });
      await ana.command('/cancel-order 2003', { channel: '#support' });
      const { view } = await ana.waitForModal((form) => text(form.view).includes('Too dear'));
      const { errors } = await ana.submit({ reason_choice: 'Too dear' });
      await ana.closeModal();
      const help = errors['target'];
      if (!help) throw new Error('an id that does not look like one was taken');
      const reasons = [...text(view).matchAll(/"value":"(Too \w+)"/g)].map(([, reason]) => reason);
      return `Ana chooses from: ${reasons.join(', ')}\n…\n${help}`;
    },
  },
  {
    title: 'Disconnecting while a review is pending: its outcome still comes',
    play: async (desk) => {
      const { slack, service } = desk;
      const [olga, ana] = [slack.person('olga'), slack.person('ana')];
      await ana.command('/cancel-order A-2003 Ordered twice', { channel: '#support' });
      await ana.waitForModal();
      await ana.submit();
      await slack.waitForMessage({ channel: '#support', text: /Cancel order A-2003.*reviewing/ });
      await olga.command('/countermand disconnect', { channel: '#support' });
      const plan = await olga.waitForModal(({ callback_id }) => callback_id === 'disconnect');
      await olga.submit();
      const done = await olga.waitForModal(({ view }) => text(view).includes('is disconnected'));
      await olga.closeModal();
      service.approve('A-2003');
      const told = await slack.waitForMessage({
        channel: '#support',
        text: /<@\w+> Order A-2003.*review approved/,
      });
      return `${texts(desk, plan)}\n…\n${texts(desk, done)}\n…\n${renderMrkdwn(slack.world, told.text)}`;
    },
  },
];

/** Olga connects the workspace with another token. The former one is not revoked: it is needed again. */
export async function reconnect(
  { slack }: SandboxDesk,
  values: { token: string; token_kind: 'rest' | 'graphql' },
): Promise<void> {
  const olga = slack.person('olga');
  await olga.command('/countermand connect', { channel: '#support' });
  await olga.waitForModal(({ callback_id }) => callback_id === 'connect');
  await olga.submit({ ...values, exclusive: ['exclusive'], revoke_former: [] });
  await olga.waitForModal(({ view }) => text(view).includes('This workspace is connected'));
  await olga.closeModal();
}

const text = (view: ModalSeen['view']): string => JSON.stringify(view.blocks);

/** A modal as a person reads it. */
const texts = ({ slack }: SandboxDesk, { view }: ModalSeen): string =>
  renderBlocks(slack.world, view.blocks).join('\n');
