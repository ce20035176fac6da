/** The note about a request whose channel has become shared while Slack refuses to change its card. */
import { expect, test } from 'vitest';
import { newUpkeep } from '../../../src/outbox/message.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { problemText } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { CHANNEL, NO_REPLY, SHARING } from '../../../src/slack/messages/sentences/form-texts.ts';
import { reasonsElsewhere } from '../../../src/slack/messages/sentences/request-words.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, queued, said, T0, withCard } from '../../support/requests/records.ts';

function noteOf(record: RequestRecord): string {
  const refused = { revision: record.revision, since: T0 };
  const unchanged = withCard(record, { upkeep: { ...newUpkeep(T0), refused } });
  const [note] = notesOf(withNote(unchanged, { type: 'shared' }, T0));
  return note ? noteMessage(unchanged, note).text : '';
}

test.each([
  ['you or an admin', 'waits to be sent', queued()],
  ['you or an admin', 'waits for approval', waitingRecord()],
  ['an admin', 'only admins may withdraw', waitingRecord({ ...POLICY, mayWithdraw: false })],
])(
  'says that %s can withdraw a request that %s: without its card it may be sent all the same',
  (who, _name, record) => {
    expect(noteOf(record)).toContain(
      `An admin can delete the card. That may not stop the request: until it is sent, ${who} can withdraw it in \`/countermand history\`. Replies`,
    );
  },
);

test('says of a channel with a pending invitation that it is about to be shared, as all other texts do', () => {
  const policy: Policy = { ...POLICY, channel: 'C2', shownIn: 'approvals_channel' };
  for (const text of [
    noteOf(queued()),
    reasonsElsewhere(queued()),
    problemText('channel_shared', policy),
    CHANNEL.shared,
    NO_REPLY.shared,
    ...Object.values(SHARING),
  ])
    expect(text).toMatch(/is (now )?shared with another company, or about to be/);
});

test('says nothing of withdrawing what was sent', () => {
  expect(noteOf(answered(said('pending')))).toContain('An admin can delete the card. Replies');
});
