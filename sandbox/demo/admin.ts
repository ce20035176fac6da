/** The scenes of the demo in which an admin or an approver acts, or somebody looks something up. */
import { needApproval, TWO_APPROVERS } from '../fill-policy.ts';
import type { FieldValue, ModalSeen } from '../slack/people/seen.ts';
import { renderBlocks, renderMrkdwn } from '../slack/render/render.ts';
import type { Sandbox } from '../start.ts';

/**
 * Approval in Slack (an admin sets the policy, two reactions approve, and a reason goes with a refusal), the other actions of
 * an admin, and the lookups that everybody can make. Each returns the lines that the demo prints.
 */
export const ADMIN_SCENES: { title: string; play(sandbox: Sandbox): Promise<string> }[] = [
  {
    title: 'An admin requires two approvals for cancelling an order',
    play: (sandbox) => policy(sandbox, 'needs 2 approvals', TWO_APPROVERS),
  },
  {
    title: 'Two approvers react, and the order is cancelled',
    play: async (sandbox) => {
      const { slack, service } = sandbox;
      const approvalMessage = await requestCancellation(sandbox, 'A-1005');
      const asked = slack.renderThread('#approvals', approvalMessage.ts);
      slack.person('cara').react('white_check_mark', approvalMessage);
      await slack.waitForMessage({ channel: '#approvals', text: /A-1005.*1 of 2/ });
      if (service.calls({ orderId: 'A-1005' }).length > 0)
        throw new Error('it was sent with one approval of two');
      slack.person('dev').react('white_check_mark', approvalMessage);
      await slack.waitForMessage({ channel: '#support', text: /<@\w+>: Order A-1005 is cancelled/ });
      return `${asked}\n…\n${await threadOnceCardSays(sandbox, 'Cancel order A-1005', 'Cancelled')}`;
    },
  },
  {
    title: 'An approver declines, with a reason',
    play: async (sandbox) => {
      const { slack, service } = sandbox;
      const dev = slack.person('dev');
      await dev.click('Decline', await requestCancellation(sandbox, 'A-1006'));
      await dev.waitForModal({ callback: 'decline' });
      await dev.submit({ reason: 'It was dispatched this morning' });
      await slack.waitForMessage({
        channel: '#support',
        text: /^<@\w+>: Dev Das declined the request.*It was dispatched/,
      });
      if (service.calls({ orderId: 'A-1006' }).length > 0)
        throw new Error('it was sent though it was declined');
      return threadOnceCardSays(sandbox, 'Cancel order A-1006', 'Declined');
    },
  },
  {
    title: 'The admin requires no approval again',
    play: (sandbox) => policy(sandbox, 'needs no approval', { approvers: 'nobody' }),
  },
  {
    title: 'Sub-brands',
    play: async (sandbox) => {
      const ana = sandbox.slack.person('ana');
      await ana.command('/sub-brands acme', { channel: '#support' });
      const modal = await ana.waitForModal(({ view }) => jsonOf(view).includes('in all'));
      await ana.closeModal();
      return renderModal(sandbox, modal);
    },
  },
  {
    title: 'All requests',
    play: async (sandbox) => {
      const ana = sandbox.slack.person('ana');
      await ana.command('/countermand history', { channel: '#support' });
      await ana.waitForModal({ callback: 'history' });
      await ana.fill({ history_group: 'all' });
      const modal = await ana.waitForModal(({ view }) => jsonOf(view).includes('O-3002'));
      await ana.closeModal();
      return renderModal(sandbox, modal);
    },
  },
  {
    title: 'An event about an order without a request in Slack',
    play: async ({ slack, service }) => {
      const order = service.addOrder({ id: 'A-2010', reviewed: true });
      const now = new Date().toISOString();
      order.requests.cancel_order = { status: 'approved', reason: 'x', createdAt: now, updatedAt: now };
      service.deliver(service.prepareEvent('A-2010'));
      const told = await slack.waitForMessage({
        channel: '#order-news',
        text: /A-2010.*No request that Countermand knows of/,
      });
      return renderMrkdwn(slack.world, told.text);
    },
  },
  {
    title: 'Settings: the list of reasons, and the format of order ids',
    play: async (sandbox) => {
      const [olga, ana] = [sandbox.slack.person('olga'), sandbox.slack.person('ana')];
      await olga.command('/countermand settings', { channel: '#support' });
      await olga.waitForModal({ callback: 'settings' });
      await olga.submit({ reasons: 'Too late\nToo dear', order_id_pattern: 'A-####' });
      await ana.command('/cancel-order 2003', { channel: '#support' });
      const { view } = await ana.waitForModal((form) => jsonOf(form.view).includes('Too dear'));
      const { errors } = await ana.submit({ reason_choice: 'Too dear' });
      await ana.closeModal();
      const help = errors['target'];
      if (!help) throw new Error('an id that does not look like one was taken');
      const reasons = [...jsonOf(view).matchAll(/"value":"(Too \w+)"/g)].map(([, reason]) => reason);
      return `Ana chooses from: ${reasons.join(', ')}\n…\n${help}`;
    },
  },
  {
    title: 'Disconnecting while a review is pending: its outcome still comes',
    play: async (sandbox) => {
      const { slack, service } = sandbox;
      const [olga, ana] = [slack.person('olga'), slack.person('ana')];
      await ana.command('/cancel-order A-2003 Ordered twice', { channel: '#support' });
      await ana.waitForModal();
      await ana.submit();
      await slack.waitForMessage({ channel: '#support', text: /Cancel order A-2003.*reviewing/ });
      await olga.command('/countermand disconnect', { channel: '#support' });
      const plan = await olga.waitForModal({ callback: 'disconnect' });
      await olga.submit();
      const done = await olga.waitForModal(({ view }) => jsonOf(view).includes('is disconnected'));
      await olga.closeModal();
      service.approve('A-2003');
      const told = await slack.waitForMessage({
        channel: '#support',
        text: /<@\w+>: Order A-2003.*confirmed it after a review/,
      });
      return `${renderModal(sandbox, plan)}\n…\n${renderModal(sandbox, done)}\n…\n${renderMrkdwn(slack.world, told.text)}`;
    },
  },
];

/**
 * Connects the workspace with another token, as Olga. The former one is not revoked, because a later scene needs it again.
 */
export async function reconnect(
  { slack }: Sandbox,
  values: { token: string; token_kind: 'rest' | 'graphql' },
): Promise<void> {
  const olga = slack.person('olga');
  await olga.command('/countermand connect', { channel: '#support' });
  await olga.waitForModal({ callback: 'connect' });
  await olga.submit({ ...values, exclusive: ['exclusive'], revoke_former: [] });
  await olga.waitForModal(({ view }) => jsonOf(view).includes('This workspace is connected'));
  await olga.closeModal();
}

/** Waits for the card: its update comes up to a second after the reply. @returns the thread as a person reads it */
export async function threadOnceCardSays({ slack }: Sandbox, title: string, state: string): Promise<string> {
  const text = new RegExp(`^\\*?${title}\\*? · (:\\w+: )?${state}`, 'im');
  const { ts, thread_ts = ts } = await slack.waitForMessage({ channel: '#support', text });
  return slack.renderThread('#support', thread_ts);
}

const jsonOf = (view: ModalSeen['view']): string => JSON.stringify(view.blocks);

const renderModal = ({ slack }: Sandbox, { view }: ModalSeen): string =>
  renderBlocks(slack.world, view.blocks).join('\n');

/** Changes the policy for cancelling an order, as Olga. @returns the line of the settings that states it */
async function policy(
  sandbox: Sandbox,
  expected: string,
  values: Record<string, FieldValue>,
): Promise<string> {
  const line = `*Cancel an order*: ${expected}`;
  const { view } = await needApproval(sandbox, values);
  const texts = view.blocks.flatMap((block) =>
    block.type === 'section' && block.text ? [block.text.text] : [],
  );
  const shown = texts.find((text) => text.startsWith(line));
  if (!shown) throw new Error(`the settings do not say "${line}"`);
  return renderMrkdwn(sandbox.slack.world, shown);
}

/** Requests a cancellation, as Ana. @returns the approval message */
async function requestCancellation({ slack }: Sandbox, order: string) {
  const ana = slack.person('ana');
  await ana.command(`/cancel-order ${order} The customer called at noon`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit({ reason_choice: 'Ordered twice' });
  return slack.waitForMessage({ channel: '#approvals', text: `Cancel order ${order}` });
}
