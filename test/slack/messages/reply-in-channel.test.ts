/** A reply in the channel, of a request whose thread takes none and whose requester takes no direct messages. */
import { expect, test } from 'vitest';
import { FORGOTTEN } from '../../../src/requests/model/audit-entry.ts';
import { replyOf } from '../../../src/requests/model/record-messages.ts';
import { reply } from '../../../src/slack/messages/content/render.ts';
import { plainTitleOf } from '../../../src/slack/messages/sentences/request-words.ts';
import { withRepliesTo } from '../../support/requests/records.ts';
import { anyRecords, DECLINED } from '../../support/typed/renderings.ts';

test('a reply in the channel names its request, whatever it tells', async () => {
  for (const record of (await anyRecords()).values()) {
    const there = withRepliesTo(record, 'channel');
    for (const step of record.steps.filter((each) => replyOf(record, each)))
      expect(reply(there, step).text).toContain(`*${plainTitleOf(record)}*: `);
  }
});

test('a reply in the channel mentions the requester first', () => {
  const told = DECLINED.steps.flatMap((step) =>
    replyOf(DECLINED, step) ? reply(withRepliesTo(DECLINED, 'channel'), step).text : [],
  );
  expect(told).toEqual([
    expect.stringMatching(
      /^<@U1>: \*Cancel order A-1001\*: <@\w+> declined the request, and nothing was sent/,
    ),
  ]);
});

test('a reply in the channel begins with a capital letter if its requester was removed', () => {
  const [told] = DECLINED.steps.filter((step) => replyOf(DECLINED, step));
  const there = withRepliesTo({ ...DECLINED, requester: FORGOTTEN }, 'channel');
  expect(told && reply(there, told).text).toMatch(/^A removed person: \*Cancel order/);
});
