/** The note to an admin about a problem with the approvers, and the one about an admin who could not be told. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import type { Note } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { NotSentError } from '../../../src/slack/client/slack-fetch.ts';
import type { SlackDirectory } from '../../../src/slack/directory/directory.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { adminProblem } from '../../../src/slack/messages/named-people.ts';
import { awaiting } from '../../../src/slack/messages/sentences/approval-texts.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0 } from '../../support/requests/records.ts';

test('the note about an unreachable admin names the problem while there is one, and has no gap once it has passed', () => {
  const noted = withNote(waitingRecord(), { type: 'admin_unreachable' }, T0);
  const troubled = withProblem(noted, 'channel_archived', T0);
  const [now, later] = [troubled, noted].map((record) => {
    const [note] = notesOf(record);
    return note && noteMessage(record, note).text;
  });
  expect(now).toMatch(
    /is no longer an admin\. Nobody can approve this right now: .* is archived\. .* Tell an admin\.$/,
  );
  expect(later).toMatch(/is no longer an admin\. Tell an admin\.$/);
});

test('the card no longer says that the admin is unreachable once another round of approval has begun', () => {
  const troubled = withProblem(waitingRecord(), 'channel_archived', T0);
  const told = (at: number) => awaiting(withNote(troubled, { type: 'admin_unreachable' }, at));
  expect(told(T0)).toContain('Tell an admin.');
  expect(told(T0 - 1)).toContain('An admin is notified');
});

test.each([
  ['channel_not_member', true],
  ['channel_not_visible', true],
  ['channel_archived', false],
] as const)('an admin is told to invite the bot where that helps (%s: %s)', (problem, helps) => {
  const troubled = withProblem(waitingRecord(), problem, T0);
  const [alarm] = notesOf(troubled);
  const { text } = noteMessage(troubled, alarm as Note);
  expect(text.includes('Invite me to that channel with /invite @Countermand.')).toBe(helps);
});

describe('the check that somebody is still an admin', () => {
  const check = (error: Error) => {
    const directory = {
      isOrgWide: async () => false,
      readNow: () => ({ person: () => Promise.reject(error) }),
    };
    const deps = { directory: directory as unknown as SlackDirectory, settings: async () => ({}) };
    return adminProblem(deps, new webApi.WebClient(), 'T1', 'UADMIN');
  };

  test('counts them as one while Slack cannot say: they are told', async () => {
    expect(await check(new Error('Slack is away'))).toBeUndefined();
  });

  test('waits for a rate limit, after which Slack can say', async () => {
    const limited = new webApi.WebAPIRateLimitedError(30);
    await expect(check(limited)).rejects.toBe(limited);
    const notSent = new webApi.WebAPIRequestError(new NotSentError('ratelimited', { retryAfterMs: 1_000 }));
    await expect(check(notSent)).rejects.toBe(notSent);
  });
});
