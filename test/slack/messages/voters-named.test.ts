/** Voters whom a new message names: by name, because a mention would notify them of their own vote. */
import type { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { Destination } from '../../../src/outbox/delivery.ts';
import { decided } from '../../../src/requests/model/acts.ts';
import { TERMINAL } from '../../../src/requests/model/audit-entry.ts';
import type { RequestMessage, RequestRecord } from '../../../src/requests/model/record.ts';
import { isNote, messageNamed, withMessage } from '../../../src/requests/model/record-messages.ts';
import { fallbackOf, withNote } from '../../../src/requests/model/record-notes.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { withNames } from '../../../src/slack/messages/named-people.ts';
import {
  type MessengerHarness,
  policyOf,
  startMessengerHarness,
} from '../../support/requests/messenger-harness.ts';
import { HELD } from '../../support/requests/records.ts';
import { NOTES } from '../../support/typed/renderings.ts';

const { users } = SEED;
const VOTERS = [users.cara, users.dev];

/** Two of three approvers have approved; the third is an admin, who chose them. */
function votedOn(record: RequestRecord): RequestRecord {
  const { approval } = record;
  if (!approval) throw new Error('needs approval');
  const cast = { source: 'button', choice: 'yes', addedAt: 1, removedAt: 0 } as const;
  return { ...record, approval: { ...approval, votes: VOTERS.map((by) => ({ ...cast, by })) } };
}

const STAGES: Record<string, (record: RequestRecord, now: number) => RequestRecord | undefined> = {
  'awaits a third approval': (record) => record,
  'is approved': (record, now) => decided(record, { type: 'decided', choice: 'yes', by: VOTERS }, now),
  'is declined': (record, now) =>
    decided(record, { type: 'decided', choice: 'no', by: [users.cara] }, now, 'It ships'),
  'has expired': (record, now) => transition(record, { type: 'expire' }, now),
};

/** With its card posted, and each note and reply still to be posted there. */
async function startAt(stage: string, shared = false) {
  const policy = { ...policyOf(), quorum: 3 };
  const people = [...VOTERS, users.olga];
  const harness = await startMessengerHarness(
    {},
    { policy: { ...policy, approvers: { type: 'people', people } }, earlier: [] },
  );
  await harness.play(1_000);
  const now = harness.clock();
  const record = STAGES[stage]?.({ ...votedOn(await harness.read()), inSharedChannel: shared }, now);
  if (!record) throw new Error('no such stage');
  const replies = record.messages.filter(({ type }) => type === 'reply');
  const unclear = replies.map(({ key: about }) => ({ type: 'unclear' as const, about }));
  const noted = [...NOTES, ...unclear].reduce((next, note) => withNote(next, note, now), record);
  const keys = noted.messages.filter(({ type }) => type !== 'card').map(({ key }) => key);
  return { harness, record: noted, keys };
}

/** Posts a message of the request wherever it may go. @returns what Slack was asked to post */
async function posted({ journal, messenger, pass }: MessengerHarness, record: RequestRecord, key: string) {
  const posts = () => journal.entries({ name: 'chat.postMessage' });
  const before = posts().length;
  const message = messageNamed(record, key);
  const places = isNote(message) ? [undefined, fallbackOf(message)] : Destination.options;
  for (const to of places) {
    // Slack takes one post a second in each channel.
    pass(1_000);
    const going = withMessage(record, key, (each) => ({ ...each, to }) as RequestMessage);
    expect({ key, ...(await messenger.post(going, key, HELD)) }).toMatchObject({ key, type: 'posted' });
  }
  return posts()
    .slice(before)
    .map(({ request }) => JSON.stringify(request));
}

describe.each(Object.keys(STAGES))('the voters of a request that %s', (stage) => {
  test.each([false, true])('are not notified by any note or reply (shared channel: %s)', async (shared) => {
    const { harness, record, keys } = await startAt(stage, shared);
    for (const key of keys) {
      // It is for the voter, who has to vote again.
      if (key.startsWith('misplaced_vote')) continue;
      const texts = await posted(harness, record, key);
      const notified = VOTERS.filter((voter) => texts.some((text) => text.includes(`<@${voter}>`)));
      expect({ key, notified }).toEqual({ key, notified: [] });
    }
  });
});

describe('voters whose names cannot be read', () => {
  test('are called "somebody", and the message is posted all the same', async () => {
    const { harness, record, keys } = await startAt('is approved');
    const fault = { type: 'error', code: 'user_not_found' } as const;
    harness.slack.faults.schedule({ on: 'users.info', times: 1_000, fault });
    const reply = keys.find((key) => key.startsWith('reply')) ?? '';
    const texts = await posted(harness, record, reply);
    expect(texts).toEqual(
      Destination.options.map(() => expect.stringContaining('Approved by somebody and somebody.')),
    );
  });
});

test('a text that names nobody is drawn once, and asks Slack for nobody', async () => {
  const asked: string[] = [];
  const person = async (_workspace: string, user: string) => void asked.push(user);
  const where = { client: {} as webApi.WebClient, directory: { person }, workspace: 'T1' };
  let drawn = 0;
  expect(await withNames(where, () => `drawn ${++drawn}`)).toBe('drawn 1');
  expect(await withNames(where, ({ people }) => people([TERMINAL, users.cara]), 'somebody')).toBe(
    'the operator and somebody',
  );
  expect(asked).toEqual([users.cara]);
});
