/** The scenes of the demo in which approvers decide. */
import { needApproval, TWO_APPROVERS } from '../fill-policy.ts';
import type { Sandbox } from '../start.ts';

export const APPROVALS: { title: string; play(sandbox: Sandbox): Promise<string> }[] = [
  {
    title: 'An admin requires two approvals; two approvers react, and the order is cancelled',
    play: async (sandbox) => {
      const { slack, service } = sandbox;
      await needApproval(sandbox, TWO_APPROVERS);
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
];

/** Waits for the card: its update comes up to a second after the reply. @returns the thread as a person reads it */
export async function threadOnceCardSays({ slack }: Sandbox, title: string, state: string): Promise<string> {
  const text = new RegExp(`^\\*?${title}\\*? · (:\\w+: )?${state}`, 'im');
  const { ts, thread_ts = ts } = await slack.waitForMessage({ channel: '#support', text });
  return slack.renderThread('#support', thread_ts);
}

/** Requests a cancellation, as Ana. @returns the approval message */
async function requestCancellation({ slack }: Sandbox, order: string) {
  const ana = slack.person('ana');
  await ana.command(`/cancel-order ${order} The customer called at noon`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit({ reason_choice: 'Ordered twice' });
  return slack.waitForMessage({ channel: '#approvals', text: `Cancel order ${order}` });
}
