/** What the requester reads where Slack takes no card, or no longer shows it: for each of Slack's codes, and each kind of request. */
import { expect, test } from 'vitest';
import { KIND_NAMES, type Kind } from '../../../src/requests/model/kinds.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { directText } from '../../../src/slack/messages/sentences/sentences.ts';
import { answered, queued, T0, withCard, withRepliesTo } from '../../support/requests/records.ts';
import { KINDS } from '../../support/seen-requests.ts';

function told(code: string, kind: Kind = 'cancel_order'): string {
  const record = { ...queued(), kind };
  const refused = withCard(record, { delivery: { status: 'given_up', code }, location: undefined });
  const ended = transition(refused, { type: 'card_refused', code }, T0) as RequestRecord;
  return directText(ended, currentStep(ended));
}

const LIMITED = 'Slack did not let me post there: a setting of this workspace limits who may post there';
const INVITE = 'Invite me there with /invite @Countermand, or choose another channel';

test.each([
  ['is_archived', 'That channel is archived. Choose another channel'],
  ['is_inactive', 'That channel is no longer in use. Choose another channel'],
  ['not_in_channel', `I am not a member of that channel. ${INVITE}`],
  ['channel_not_found', `I cannot see that channel. ${INVITE}`],
  ['restricted_action', `${LIMITED}. Choose another channel`],
  ['restricted_action_of_tomorrow', `${LIMITED}. Choose another channel`],
  [
    'restricted_action_read_only_channel',
    'Slack did not let me post there: that channel is read-only. Choose another channel',
  ],
  [
    'restricted_action_thread_only_channel',
    'Slack did not let me post there: that channel takes only replies in threads. Choose another channel',
  ],
  [
    'restricted_action_non_threadable_channel',
    'Slack did not let me post there: that channel has no threads, and outcomes are posted in one. Choose another channel',
  ],
  [
    'ekm_access_denied',
    'Slack did not let me post there: the admins of this workspace have suspended posting there. Choose another channel',
  ],
  ['a_code_of_tomorrow', 'Slack did not let me post there (a_code_of_tomorrow). Choose another channel'],
])('a card that Slack refuses with %s: nothing was sent, why, and what to do', (code, help) => {
  expect(told(code)).toBe(
    `I could not post the request about order A-1001 in <#C1>, so nothing was sent to the order service. ${help}, and request it again.`,
  );
});

test.each(KIND_NAMES)('a card that Slack refuses is told of by its order or offer: %s', (kind) => {
  expect(told('is_archived', kind)).toBe(
    `I could not post the request about ${KINDS[kind].about} A-1001 in <#C1>, so nothing was sent to the order service. That channel is archived. Choose another channel, and request it again.`,
  );
});

test.each([
  [
    'message_not_found',
    { status: 'given_up', code: 'message_not_found' },
    'the card of this request was deleted.',
  ],
  [
    'is_archived',
    { status: 'posted', channel: 'C1', ts: '1.0' },
    'I could not post in the thread of this request in <#C1>.',
  ],
] as const)(
  'an outcome that goes to the requester, because of %s, tells it, and why it is there',
  (_code, delivery, why) => {
    for (const kind of KIND_NAMES) {
      const status = kind === 'send_offer' ? 'sent' : 'canceled';
      const record = withCard({ ...answered({ type: 'said', status }), kind }, { delivery });
      const text = directText(withRepliesTo(record, 'requester'), currentStep(record));
      expect(text).toContain(` A-1001 ${KINDS[kind].done}: `);
      expect(text).toContain(`I am writing to you here because ${why}`);
    }
  },
);
