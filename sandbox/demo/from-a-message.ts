import { sayOpening } from '../opening.ts';
import type { Sandbox } from '../start.ts';

/** The main job: Ana cancels an order from a customer's message. @returns its thread as a person reads it */
export async function cancelFromMessage(sandbox: Sandbox): Promise<string> {
  const { slack } = sandbox;
  const { cancelledAtOnce: message } = sayOpening(sandbox);
  const ana = slack.person('ana');
  await ana.messageShortcut('message_cancel_order', message);
  await ana.waitForModal(({ values }) => values['target'] === 'A-1001');
  await ana.submit({ reason_choice: 'Ordered twice' });
  const { channel, ts: thread_ts } = message;
  await slack.waitForMessage({ channel, thread_ts, text: /^<@\w+>: Order A-1001 is cancelled/ });
  return slack.renderThread(channel, thread_ts);
}
