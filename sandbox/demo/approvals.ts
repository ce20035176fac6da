import { needApproval, TWO_APPROVERS } from '../need-approval.ts';
import type { FieldValue } from '../slack/people/see-modal.ts';
import { renderMrkdwn } from '../slack/render/text.ts';
import type { Sandbox } from '../start.ts';

/** Scenes of approval in Slack: an admin sets the policy, two reactions approve, and a reason goes with a refusal. */
export const APPROVAL_SCENES: { title: string; play(sandbox: Sandbox): Promise<string> }[] = [
  {
    title: 'An admin requires two approvals for cancelling an order',
    play: (sandbox) => policy(sandbox, 'needs 2 approvals', TWO_APPROVERS),
  },
  {
    title: 'Two approvers react, and the order is cancelled',
    play: async (sandbox) => {
      const { slack, service } = sandbox;
      const approvalMessage = await requestCancellation(sandbox, 'A-1005');
      const asked = slack.renderThread('#approvals', approvalMessage.ts, { as: 'cara' });
      slack.person('cara').react('white_check_mark', approvalMessage);
      await slack.waitForMessage({ channel: '#approvals', text: /A-1005.*1 of 2/ });
      if (service.calls({ orderId: 'A-1005' }).length > 0)
        throw new Error('it was sent with one approval of two');
      slack.person('dev').react('white_check_mark', approvalMessage);
      const done = await slack.waitForMessage({
        channel: '#support',
        text: /<@\w+>: Order A-1005 is cancelled/,
      });
      return `${asked}\n…\n${slack.renderThread('#support', done.thread_ts ?? '')}`;
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
      const told = await slack.waitForMessage({
        channel: '#support',
        text: /^<@\w+>: Dev Das declined the request.*It was dispatched/,
      });
      if (service.calls({ orderId: 'A-1006' }).length > 0)
        throw new Error('it was sent though it was declined');
      return slack.renderThread('#support', told.thread_ts ?? '');
    },
  },
  {
    title: 'The admin requires no approval again',
    play: (sandbox) => policy(sandbox, 'needs no approval', { approvers: 'nobody' }),
  },
];

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
