/** Faults of a single call at Slack or at the service. */
import type { Fault } from '../../../sandbox/lib/faults/faults.ts';
import type { Random } from '../random.ts';
import { LATE_POST_MS, SERVICE_DEADLINE_MS, SLACK_TIMEOUT_MS } from '../timings.ts';

/** The methods that faults strike, each as often as it is to be drawn. */
export const SLACK_METHODS = [
  'chat.postMessage',
  ...Array<string>(11).fill('chat.postMessage'),
  ...Array<string>(5).fill('chat.update'),
  ...Array<string>(2).fill('conversations.replies'),
  'conversations.history',
  'reactions.get',
] as const;

const UNAVAILABLE = { status: 500, body: 'Internal Server Error' };

export function slackFault(random: Random): Fault {
  const afterwards = random.between(SLACK_TIMEOUT_MS + 200, SLACK_TIMEOUT_MS + 1_800);
  return random.pick<Fault>([
    { type: 'rate_limit', retryAfterSeconds: 1 },
    { type: 'status', ...UNAVAILABLE },
    { type: 'error', code: 'internal_error' },
    { type: 'drop' },
    { type: 'status_after', ...UNAVAILABLE },
    { type: 'unanswered' },
    { type: 'truncated' },
    { type: 'delay', ms: random.between(...LATE_POST_MS) },
    { type: 'delay_answer', ms: afterwards },
  ]);
}

export function serviceFault(random: Random): Fault {
  const late = random.between(SERVICE_DEADLINE_MS + 200, SERVICE_DEADLINE_MS + 2_000);
  return random.pick<Fault>([
    { type: 'rate_limit', retryAfterSeconds: 1 },
    { type: 'status', status: 500 },
    { type: 'drop' },
    { type: 'status_after', status: 502 },
    { type: 'unanswered' },
    { type: 'truncated' },
    { type: 'garbage' },
    { type: 'delay', ms: late },
    { type: 'delay_answer', ms: late },
  ]);
}
