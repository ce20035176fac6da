/** Links to messages belong to one workspace, and lead to the message in its thread. */
import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { createPermalinks, linkingOf } from '../../../src/slack/client/links.ts';
import { queued } from '../../support/requests/records.ts';

const clientOf = (workspace: string) =>
  ({
    chat: { getPermalink: async () => ({ permalink: `https://${workspace}.slack.com/archives/C1/p1` }) },
  }) as unknown as webApi.WebClient;

test('a link is asked for once in each workspace: one in another workspace does not open a shared channel there', async () => {
  const permalinks = createPermalinks();
  const place = { channel: 'C1', ts: '1.000001' };
  expect(await permalinks(clientOf('t1'), 'T1', place)).toBe('https://t1.slack.com/archives/C1/p1');
  expect(await permalinks(clientOf('t2'), 'T2', place)).toBe('https://t2.slack.com/archives/C1/p1');
  expect(await permalinks(clientOf('other'), 'T1', place)).toBe('https://t1.slack.com/archives/C1/p1');
});

test('the link in a list leads to a card in the thread of the customer', async () => {
  const posted = { status: 'posted', channel: 'C1', ts: '2.000002' } as const;
  const record = queued({ thread: '1.000001' });
  const messages = record.messages.map((each) =>
    each.type === 'card' ? { ...each, delivery: posted } : each,
  );
  const { linkTo } = await linkingOf(
    {
      aboutWorkspace: async () => ({ origin: 'https://t1.slack.com' }),
      settings: async () => ({}),
      log: SILENT,
    },
    'T1',
  );
  expect(linkTo({ ...record, messages } as typeof record)).toBe(
    'https://t1.slack.com/archives/C1/p2000002?thread_ts=1.000001&cid=C1',
  );
});
