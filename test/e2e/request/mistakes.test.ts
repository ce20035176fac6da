/** An id or a reason that the order service does not know: a mistake of one person, which need not interest a channel. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import { buttonsOf, setPolicy, startApprovals, YES } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  cardOf,
  KINDS,
  type KindOfRequest,
  kindOf,
  replyTo,
  submitRequest,
} from '../../support/e2e/kinds.ts';

const EDIT = 'Edit and request again';
const CODES: Record<string, string> = { order: 'VALIDATION_ERROR', offer: 'OFFER_NOT_FOUND' };

function mistake(harness: Harness, { about, operation }: KindOfRequest): void {
  const body = { code: CODES[about], message: 'Not known', details: [{ field: 'id', error: 'unknown' }] };
  harness.service.faults.schedule({ on: operation, fault: { type: 'status', status: 400, body } });
}

const told = ({ ana }: Harness): Promise<Message> =>
  ana.waitForDirectMessage(({ text }) => text.includes('“Not known”'));

const repliesIn = ({ slack }: Harness, { ts }: Message): Message[] => slack.thread('#support', ts).slice(1);

describe.each(KINDS)('$command with an id that is not known', (kind) => {
  test('is told to the requester alone, and its card is one line', async () => {
    const harness = await startHarness();
    mistake(harness, kind);
    await submitRequest(harness, kind);
    const reply = await told(harness);
    expect(reply.text).toContain(`*${kind.deed} ${kind.target}*: The order service refused the request`);
    expect(reply.text).toContain(`(${CODES[kind.about]}).\n• id: unknown`);
    expect(reply.text).not.toContain('I cannot post');
    const card = await harness.slack.waitForMessage({ channel: '#support', text: /refused/ });
    expect(card.blocks).toHaveLength(1);
    expect(JSON.stringify(card.blocks)).not.toContain('Not known');
    expect(repliesIn(harness, card)).toEqual([]);
  });

  test('is corrected in the form, which is filled in, and requested again', async () => {
    const harness = await startHarness();
    mistake(harness, kind);
    await submitRequest(harness, kind);
    const reply = await told(harness);
    await harness.ana.click(EDIT, reply);
    const { values } = await harness.ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
    expect(values['target']).toBe(kind.target);
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.slack.waitForMessage({ text: new RegExp(`${kind.target} ${kind.done}`) });
  });

  test('is told in the thread where the requester takes no direct messages', async () => {
    const harness = await startHarness();
    harness.slack.admin.setApp({ messagesTab: false });
    mistake(harness, kind);
    await submitRequest(harness, kind);
    const reply = await replyTo(harness, kind, /“Not known”/);
    expect(reply.text).toContain(`<@${harness.ana.id}>: `);
    expect(buttonsOf(reply)).toEqual([EDIT]);
  });
});

test('what somebody had approved is told in the thread, for all who took part', async () => {
  const harness = await startApprovals();
  const kind = kindOf('cancel_order');
  mistake(harness, kind);
  await harness.cancelOrder('A-1001');
  harness.cara.react(YES, await harness.votedOn('A-1001'));
  const reply = await harness.reply('A-1001', /“Not known”/);
  expect(buttonsOf(reply)).toEqual([EDIT]);
  expect((await cardOf(harness, kind)).blocks?.length).toBeGreaterThan(1);
});

test('any other refusal is told in the thread', async () => {
  const harness = await startHarness();
  const fault = { type: 'status', status: 409, body: { code: 'CONFLICT', message: 'Not now' } } as const;
  harness.service.faults.schedule({ on: 'cancel_order', fault });
  await harness.cancelOrder('A-1001');
  expect(buttonsOf(await harness.reply('A-1001', /“Not now”/))).toEqual([]);
});

test('the button makes no request for whoever may make none, and skips no approval', async () => {
  const harness = await startApprovals({}, {});
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { policies: {} });
  const kind = kindOf('cancel_order');
  mistake(harness, kind);
  await harness.cancelOrder('A-1001');
  const reply = await told(harness);
  await setPolicy(harness);
  await harness.ana.click(EDIT, reply);
  await harness.ana.waitForModal(({ callback_id }) => callback_id.startsWith('request'));
  await harness.ana.submit();
  await harness.slack.waitForMessage({ channel: '#support', text: /Waiting for/ });
  expect(harness.calls()).toBe(1);
  await settings.change(SEED.team, { requesters: SEED.groups.approvers });
  await harness.ana.click(EDIT, reply);
  await harness.ana.waitForModal({ text: `Only members of <!subteam^${SEED.groups.approvers}>` });
  expect(harness.calls()).toBe(1);
});
