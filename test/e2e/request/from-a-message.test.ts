import { describe, expect, test } from 'vitest';
import { directMessage } from '../../../sandbox/slack/world/channels.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Overrides } from '../../../src/app.ts';
import { DEFAULT_EMOJI } from '../../../src/requests/model/policy.ts';
import { setPolicy } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { gusOf, share } from '../../support/e2e/shared-channels.ts';
import { eventually } from '../../support/time/eventually.ts';

type Settings = { orderIdPattern?: string; requesters?: string; orderAddress?: string };

/** A desk where somebody has written about orders, in #support, where the bot is. */
async function startDesk({ settings = {} as Settings, overrides = {} as Overrides } = {}) {
  const harness = await startHarness({ overrides });
  const { ana, ben } = harness;
  const { support } = SEED.channels;
  const { settings: stored } = await harness.terminal();
  await stored.change(SEED.team, { orderIdPattern: 'A-####', ...settings });
  const wrote = (text: string, thread_ts?: string) =>
    ben.say(text, { channel: support, ...(thread_ts && { thread_ts }) });
  const open = async (ts: string, shortcut = 'message_cancel_order') => {
    await ana.messageShortcut(shortcut, { channel: support, ts });
    return ana.modal();
  };
  const reads = (text: string) => ana.waitForModal(({ view }) => JSON.stringify(view.blocks).includes(text));
  const inThread = (ts: string) =>
    ana.messages(support).filter((message) => message.thread_ts === ts && message.ts !== ts);
  const said = (ts: string, text: RegExp) =>
    eventually(() => {
      const found = inThread(ts).find((message) => text.test(message.text));
      if (!found) throw new Error(`no reply with ${text}`);
      return found;
    });
  return { ...harness, support, wrote, open, reads, inThread, said };
}

const REASON = { reason_choice: 'Ordered twice' };
const OTHER_ID = 'countermand/other';

describe('an order is cancelled from the message of a customer', () => {
  test('whose id is found, and in whose thread the card and the outcome stand', async () => {
    const desk = await startDesk();
    const { ts } = desk.wrote('A customer wants to cancel order *A-1001*, please.');
    await desk.open(ts);
    await desk.reads('A-1001');
    await desk.reads('in the thread of the message');
    expect((await desk.ana.submit(REASON)).outcome).toBe('closed');
    const outcome = await desk.said(ts, /^<@.*Order A-1001 is cancelled/);
    expect(outcome.text).toContain(`<@${desk.ana.id}>`);
    expect(desk.inThread(ts)).toHaveLength(2);
    expect(desk.inThread(ts)[0]?.text).toMatch(/^Cancel order A-1001/);
    expect(desk.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('whose id is filled in where Slack is slow, too: a form that opened before would keep its empty field', async () => {
    const desk = await startDesk();
    for (const on of ['users.info', 'conversations.info'])
      desk.slack.faults.schedule({ on, fault: { type: 'delay', ms: 1_000 }, times: 9 });
    await desk.open(desk.wrote('A customer wants to cancel order A-1001.').ts);
    await desk.reads('Reading the message');
    await desk.reads('in the thread of the message');
    expect((await desk.ana.submit(REASON)).outcome).toBe('closed');
  });

  test('that is itself a reply: the card stands in the same thread', async () => {
    const desk = await startDesk();
    const parent = desk.wrote('About my order');
    const reply = desk.wrote('It is <https://shop.example.com/orders/A-1001?from=mail>', parent.ts);
    await desk.open(reply.ts);
    await desk.reads('A-1001');
    await desk.ana.submit(REASON);
    await desk.said(parent.ts, /Order A-1001 is cancelled/);
  });

  test('that names several orders: one of them is chosen', async () => {
    const desk = await startDesk();
    const { ts } = desk.wrote('Either A-1001 or A-1002, and not A-99');
    await desk.open(ts);
    await desk.reads('The message has several ids. Choose one.');
    const missing = await desk.ana.submit({ ...REASON, target_choice: null });
    expect(missing.outcome).not.toBe('closed');
    expect((await desk.ana.submit({ ...REASON, target_choice: 'A-1002' })).outcome).toBe('closed');
    await desk.said(ts, /Order A-1002 is cancelled/);
    expect(desk.service.organization().orders.get('A-1001')?.requests.cancel_order).toBeUndefined();
  });

  test.each([
    ['at once', false],
    ['at the submission, if the form was not drawn anew before', true],
  ])('that names several other orders: a field for the id comes %s', async (_when, isLate) => {
    const desk = await startDesk();
    const { ts } = desk.wrote('Keep A-1002 and A-1003, but cancel the other one');
    await desk.open(ts);
    await desk.reads('A-1003');
    if (isLate)
      desk.slack.faults.schedule({ on: 'views.update', fault: { type: 'error', code: 'hash_conflict' } });
    await desk.ana.fill({ ...REASON, target_choice: OTHER_ID });
    if (isLate) expect((await desk.ana.submit()).outcome).toBe('updated');
    const { values } = await desk.ana.waitForModal(({ values: { target } }) => target !== undefined);
    expect(values).toMatchObject(REASON);
    expect((await desk.ana.submit({ target: 'A-1001' })).outcome).toBe('closed');
    await desk.said(ts, /Order A-1001 is cancelled/);
  });

  test('that names several, of which the one that is chosen was cancelled before: a typed id stays, without that warning', async () => {
    const orderAddress = 'https://shop.example.com/orders/{id}';
    const desk = await startDesk({ settings: { orderAddress } });
    await desk.cancelOrder('A-1002');
    await desk.reply('A-1002', /is cancelled/);
    const { ts } = desk.wrote('Keep A-1002 and A-1003, but cancel the other one');
    await desk.open(ts);
    await desk.reads('A-1003');
    expect((await desk.ana.submit({ ...REASON, target_choice: 'A-1002' })).outcome).toBe('updated');
    await desk.reads('There was already a request');
    await desk.ana.fill({ target_choice: 'A-1003' });
    await desk.ana.waitForModal(({ view }) => !JSON.stringify(view).includes('already a request'));
    await desk.ana.fill({ target_choice: OTHER_ID });
    const { view } = await desk.ana.waitForModal(({ values: { target } }) => target !== undefined);
    expect(JSON.stringify(view)).not.toContain('A-1002');
    // Enter has the form drawn anew, with a link.
    await desk.ana.fill({ target: 'A-1001' });
    const { values } = await desk.reads(orderAddress.replace('{id}', 'A-1001'));
    expect(values).toMatchObject({ ...REASON, target: 'A-1001' });
    expect((await desk.ana.submit({})).outcome).toBe('closed');
    await desk.said(ts, /Order A-1001 is cancelled/);
  });

  test('that asks for two: each reply in its thread says which one it is about', async () => {
    const desk = await startDesk();
    await setPolicy(desk, { approvers: { type: 'people', people: [desk.slack.person('cara').id] } });
    const { ts } = desk.wrote('Please cancel A-1001 and A-1002');
    const cards: { ts: string }[] = [];
    for (const target_choice of ['A-1001', 'A-1002']) {
      await desk.open(ts);
      await desk.reads('The message has several ids. Choose one.');
      expect((await desk.ana.submit({ ...REASON, target_choice })).outcome).toBe('closed');
      cards.push(await desk.said(ts, new RegExp(`^Cancel order ${target_choice}`)));
    }
    const [first, second] = cards.map((card) => ({ channel: desk.support, ts: card.ts }));
    const cara = desk.slack.person('cara');
    if (first) cara.react(DEFAULT_EMOJI.no, first);
    if (second) cara.react(DEFAULT_EMOJI.yes, second);
    await desk.said(ts, /\*Cancel order A-1001\*: Cara Conti declined the request/);
    await desk.said(ts, /^\*Cancel order A-1002\*: Approved by Cara Conti/);
    await desk.said(ts, /^<@\w+>: Order A-1002 is cancelled/);
  });

  test('that names none: the id is typed', async () => {
    const desk = await startDesk();
    const { ts } = desk.wrote('Please cancel my order');
    await desk.open(ts);
    await desk.reads('in the thread of the message');
    await desk.ana.submit({ ...REASON, target: 'A-1001' });
    await desk.said(ts, /Order A-1001 is cancelled/);
  });

  test('in a private channel without the bot: the form says so, asks for a channel, and the card links the message', async () => {
    const desk = await startDesk();
    const { supportLeads, support } = SEED.channels;
    const cara = desk.slack.person('cara');
    desk.slack.admin.invite(support, cara.id);
    const { ts } = cara.say('Cancel A-1001', { channel: supportLeads });
    await cara.messageShortcut('message_cancel_order', { channel: supportLeads, ts });
    await cara.waitForModal({ text: 'Your request will link to the message' });
    expect((await cara.submit({ ...REASON, channel: support })).outcome).toBe('closed');
    await desk.reply('A-1001', /is cancelled/);
    const card = await desk.card('A-1001');
    expect(JSON.stringify(card.blocks)).toContain(`/archives/${supportLeads}/p${ts.replace('.', '')}`);
    expect(card.thread_ts).not.toBe(ts);
  });

  test('in a channel that is shared with another company: the form says so of that channel, and of none that is not chosen yet', async () => {
    const desk = await startDesk();
    share(desk);
    const { ts } = desk.wrote('Cancel A-1001');
    await desk.open(ts);
    const { view, values } = await desk.reads('The channel of this message is shared with another company');
    expect(values).toMatchObject({ channel: null });
    expect(JSON.stringify(view)).not.toContain('*This channel is shared');
  });

  test('in a group direct message, of which Slack tells nothing: the form asks for a channel', async () => {
    const desk = await startDesk();
    const fault = { type: 'error', code: 'missing_scope' } as const;
    desk.slack.faults.schedule({ on: 'conversations.info', fault, times: 2 });
    const { ts } = desk.wrote('Cancel A-1001');
    await desk.open(ts);
    const { values } = await desk.reads('I cannot see the conversation of this message');
    expect(values).toMatchObject({ target: 'A-1001', channel: null });
    await desk.ana.submit({ ...REASON, channel: desk.support });
    await desk.reply('A-1001', /is cancelled/);
  });

  test('that is deleted before the card is posted: nothing is sent, and the agent is told', async () => {
    const desk = await startDesk();
    const message = desk.wrote('Cancel A-1001');
    await desk.open(message.ts);
    await desk.reads('in the thread of the message');
    desk.ben.deleteMessage({ channel: desk.support, ts: message.ts });
    await desk.ana.submit(REASON);
    const told = await desk.ana.waitForDirectMessage(({ text }) => text.includes('A-1001'));
    expect(told.text).toContain('the message that the request was made from is gone');
    expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('is refused to whoever may make no request, before they fill anything in', async () => {
    const desk = await startDesk({ settings: { requesters: SEED.groups.approvers } });
    const { ts } = desk.wrote('Cancel A-1001');
    await desk.open(ts);
    await desk.reads(`Only members of <!subteam^${SEED.groups.approvers}> can make requests here.`);
  });
});

describe('an offer', () => {
  test('is sent from the message that names it', async () => {
    const desk = await startDesk();
    const { ts } = desk.wrote('Offer O-3001 can go out');
    await desk.open(ts, 'message_send_offer');
    await desk.reads('O-3001');
    expect((await desk.ana.submit({})).outcome).toBe('closed');
    await desk.said(ts, /O-3001/);
  });
});

test('the shortcuts of Slack itself open the empty forms', async () => {
  const desk = await startDesk();
  await desk.ana.shortcut('cancel_order');
  await desk.ana.waitForModal({ callback: 'request_cancel_order' });
  await desk.ana.submit({ ...REASON, target: 'A-1001', channel: desk.support });
  await desk.reply('A-1001', /is cancelled/);
});

describe('a mention of the bot', () => {
  const mentioned = async (given?: { overrides: Overrides }) => {
    const desk = await startDesk(given);
    const bot = `<@${desk.slack.installation().bot_user_id}>`;
    const privately = (text: RegExp) => desk.ana.waitForEphemeral((message) => text.test(message.text));
    return { ...desk, bot, privately };
  };

  test('in a thread gives its writer a button, which opens the form; the answer is in that thread', async () => {
    const desk = await mentioned();
    const parent = desk.wrote('I want to cancel');
    desk.ana.say(`${desk.bot} cancel A-1001`, { channel: desk.support, thread_ts: parent.ts });
    const offered = await desk.privately(/Press the button to cancel order A-1001/);
    expect(offered.thread_ts).toBe(parent.ts);
    await desk.ana.click('open_request', { channel: desk.support, ts: offered.ts });
    await desk.reads('in the thread of the message');
    await desk.ana.submit(REASON);
    await desk.said(parent.ts, /Order A-1001 is cancelled/);
  });

  test('with several ids is about the first', async () => {
    const desk = await mentioned();
    desk.ana.say(`${desk.bot} cancel A-1001 and A-1002`, { channel: desk.support });
    const { text } = await desk.privately(/Press the button/);
    expect(text).toBe(
      'Press the button to cancel order A-1001. Nothing is sent before you confirm it in the form.',
    );
  });

  test('without a command gets help, at most once a minute for each person', async () => {
    const desk = await mentioned();
    desk.ana.say(`${desk.bot} hello`, { channel: desk.support });
    await desk.privately(/I give you a button/);
    desk.ana.say(`${desk.bot} hello?`, { channel: desk.support });
    desk.ana.say(`${desk.bot} send offer O-3001`, { channel: desk.support });
    await desk.privately(/Press the button to send offer O-3001/);
    desk.ana.say(`${desk.bot} send offer`, { channel: desk.support });
    await desk.privately(/Press the button to send an offer\. Nothing is sent/);
    const help = desk.ana.ephemerals(desk.support).filter(({ text }) => /I give you a button/.test(text));
    expect(help).toHaveLength(1);
  });

  test.each([
    ['users.info', { type: 'error', code: 'internal_error' }],
    ['chat.postEphemeral', { type: 'rate_limit', retryAfterSeconds: 0 }],
  ] as const)('that %s kept from an answer gets it when Slack delivers it again', async (method, fault) => {
    const desk = await mentioned();
    desk.slack.faults.schedule({ on: method, fault });
    desk.ana.say(`${desk.bot} cancel A-1001`, { channel: desk.support });
    await desk.privately(/Press the button to cancel order A-1001/);
    expect(desk.ana.ephemerals(desk.support)).toHaveLength(1);
  });

  test('that Slack delivers again while the first try is under way gets its answer, though that try fails', async () => {
    // The first try fails by the bot's own time-out, and not the long one of tests.
    const desk = await mentioned({ overrides: { slackTimeouts: {} } });
    const held = desk.slack.faults.schedule({ on: 'users.info', fault: { type: 'hold', when: 'before' } });
    desk.ana.say(`${desk.bot} cancel A-1001`, { channel: desk.support });
    await held.reached;
    const [mention] = desk.slack.events.list();
    const again = desk.slack.events.redeliver(mention?.event_id ?? '');
    await desk.privately(/Press the button to cancel order A-1001/);
    // What is accepted, Slack does not deliver a third time.
    await eventually(() => expect(again.attempts).toEqual([503]));
    expect(desk.ana.ephemerals(desk.support)).toHaveLength(1);
  });

  test('gets no second answer where Slack may have taken the first, though it delivers the mention again', async () => {
    const desk = await mentioned();
    desk.slack.faults.schedule({ on: 'chat.postEphemeral', fault: { type: 'unanswered' } });
    desk.ana.say(`${desk.bot} cancel A-1001`, { channel: desk.support });
    await desk.privately(/A-1001/);
    const [mention] = desk.slack.events.list();
    await mention?.settled;
    const again = desk.slack.events.redeliver(mention?.event_id ?? '');
    await again.settled;
    expect([mention, again].map((each) => each?.attempts)).toEqual([[200], [200]]);
    expect(desk.ana.ephemerals(desk.support)).toHaveLength(1);
  });

  test('of a person of another company gets no answer', async () => {
    const desk = await mentioned();
    share(desk);
    const gus = gusOf(desk);
    gus.say(`${desk.bot} cancel A-1001`, { channel: desk.support });
    const mention = desk.slack.events.list().at(-1);
    await mention?.settled;
    expect(mention?.attempts).toEqual([200]);
    expect(gus.ephemerals(desk.support)).toEqual([]);
  });

  test('leaves none of its text in the log', async () => {
    const desk = await mentioned();
    desk.ana.say(`${desk.bot} cancel A-7777 s3cret-words`, { channel: desk.support });
    await desk.privately(/A-7777/);
    expect(desk.logged.text()).not.toContain('s3cret-words');
  });
});

describe('a direct message to the bot', () => {
  test('gets a button that opens the form, whose channel is chosen', async () => {
    const desk = await startDesk();
    const bot = desk.slack.installation().bot_user_id;
    const channel = directMessage(desk.slack.world, desk.ana.id, bot, SEED.team).id;
    desk.ana.say('cancel order A-1001', { channel });
    const offered = await desk.ana.waitForDirectMessage(({ text }) => text.includes('Press the button'));
    await desk.ana.click('open_request', { channel, ts: offered.ts });
    await desk.reads('Channel for updates');
    await desk.ana.submit({ ...REASON, channel: desk.support });
    await desk.reply('A-1001', /is cancelled/);
  });
});
