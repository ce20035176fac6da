import type { SandboxDesk } from '../desk.ts';
import { needApproval, TWO_APPROVERS } from '../need-approval.ts';
import type { FieldValue } from '../slack/people/form/see-modal.ts';
import { renderMrkdwn } from '../slack/render/text.ts';

/** Approval in Slack before anything is sent: set by an admin, given by two reactions, denied with a reason. */
export const APPROVAL_SCENES: { title: string; play(desk: SandboxDesk): Promise<string> }[] = [
  {
    title: 'An admin decides that cancelling an order needs two approvals',
    play: (desk) => policy(desk, 'needs 2 approvals', TWO_APPROVERS),
  },
  {
    title: 'Two approvers react, and the order is cancelled',
    play: async (desk) => {
      const { slack, service } = desk;
      const ballot = await ask(desk, 'A-1005');
      const asked = slack.renderThread('#approvals', ballot.ts, { as: 'cara' });
      slack.person('cara').react('white_check_mark', ballot);
      await slack.waitForMessage({ channel: '#approvals', text: /A-1005.*1 of 2/ });
      if (service.calls({ orderId: 'A-1005' }).length > 0)
        throw new Error('it was sent with one approval of two');
      slack.person('dev').react('white_check_mark', ballot);
      const done = await slack.waitForMessage({
        channel: '#support',
        text: /<@\w+> Order A-1005 is cancelled/,
      });
      return `${asked}\n…\n${slack.renderThread('#support', done.thread_ts ?? '')}`;
    },
  },
  {
    title: 'An approver denies, and says why',
    play: async (desk) => {
      const { slack, service } = desk;
      const dev = slack.person('dev');
      await dev.click('Deny', await ask(desk, 'A-1006'));
      await dev.waitForModal(({ callback_id }) => callback_id === 'deny');
      await dev.submit({ reason: 'It was dispatched this morning' });
      const told = await slack.waitForMessage({
        channel: '#support',
        text: /^<@\w+> Dev Das denied the request.*It was dispatched/,
      });
      if (service.calls({ orderId: 'A-1006' }).length > 0)
        throw new Error('it was sent though it was denied');
      return slack.renderThread('#support', told.thread_ts ?? '');
    },
  },
  {
    title: 'The admin decides that it needs none',
    play: (desk) => policy(desk, 'needs no approval', { approvers: 'nobody' }),
  },
];

/** Olga changes the policy for cancelling an order. @returns what the settings say of it then */
async function policy(
  desk: SandboxDesk,
  expected: string,
  values: Record<string, FieldValue>,
): Promise<string> {
  const line = `*Cancel an order*: ${expected}`;
  const { view } = await needApproval(desk, values);
  const texts = view.blocks.flatMap((block) =>
    block.type === 'section' && block.text ? [block.text.text] : [],
  );
  const shown = texts.find((text) => text.startsWith(line));
  if (!shown) throw new Error(`the settings do not say "${line}"`);
  return renderMrkdwn(desk.slack.world, shown);
}

/** Ana asks. @returns the message that the approvers see */
async function ask({ slack }: SandboxDesk, order: string) {
  const ana = slack.person('ana');
  await ana.command(`/cancel-order ${order} The customer called at noon`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit({ reason_choice: 'Ordered twice' });
  return slack.waitForMessage({ channel: '#approvals', text: `Cancel order ${order}` });
}
