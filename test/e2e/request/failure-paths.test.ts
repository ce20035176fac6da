/** What goes wrong on the way, and what a person then reads: the same for every kind of request. */
import { describe, expect, test } from 'vitest';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { askFor, cardOf, KINDS, type KindOfRequest, openForm, replyTo } from '../../support/e2e/kinds.ts';

const callsOf = ({ service }: Desk, { operation }: KindOfRequest) => service.calls({ operation }).length;

const doneBy = ({ done }: KindOfRequest) => new RegExp(done);

describe.each(KINDS)('$command is not begun', (kind) => {
  test('where nobody has connected the workspace, and everybody reads what to do', async () => {
    const desk = await startDesk({ connected: false });
    await openForm(desk, kind);
    const { view } = await desk.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('An admin can connect it with /countermand connect'),
    );
    expect(view.submit).toBeNull();
    expect(desk.slack.messages('#support')).toEqual([]);
  });

  test('in a private channel that the bot is not in, until it is invited', async () => {
    const desk = await startDesk();
    const given = { who: desk.slack.person('cara'), channel: '#support-leads' };
    const { errors } = await askFor(desk, kind, given);
    expect(errors).toEqual({ channel: expect.stringContaining('/invite @Countermand') });
    expect(callsOf(desk, kind)).toBe(0);
    // Doing what it says helps at once.
    desk.slack.admin.invite(SEED.channels.supportLeads, desk.slack.installation().bot_user_id);
    expect((await given.who.submit()).outcome).toBe('closed');
    await replyTo(desk, kind, doneBy(kind), given);
  });

  test('in a channel that was archived while the form was open', async () => {
    const desk = await startDesk();
    await openForm(desk, kind);
    desk.slack.admin.archive(SEED.channels.support);
    expect((await desk.ana.submit()).errors).toEqual({ channel: expect.stringContaining('is archived') });
    expect(callsOf(desk, kind)).toBe(0);
  });

  test('twice at once: a second agent gets a link to the thread of the first one', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: kind.operation, fault: { type: 'unanswered' } });
    await askFor(desk, kind);
    await replyTo(desk, kind, /may or may not/);
    const { outcome, modal } = await askFor(desk, kind, { who: desk.ben });
    expect(outcome).toBe('pushed');
    const text = JSON.stringify(modal?.view);
    expect(text).toContain(`There is already an open request for ${kind.noun} ${kind.target}`);
    expect(text).toMatch(/<https:\/\/acme-support\.slack\.test\/archives\/[^|]+\|Open its thread>/);
    expect(callsOf(desk, kind)).toBe(1);
  });
});

describe.each(KINDS)('$command meets an order service that', (kind) => {
  test.each([
    [
      'answers 500',
      { type: 'status' as const, status: 500, body: { code: 'INTERNAL_SERVER_ERROR', message: 'x' } },
      /failed while it worked on the request \(HTTP 500\)/,
    ],
    [
      'answers 503 after carrying it out',
      { type: 'status_after' as const, status: 503 },
      /or a gateway in front of it, gave up on the request \(HTTP 503\)/,
    ],
    [
      'redirects',
      { type: 'redirect' as const, status: 302, location: '/elsewhere' },
      /redirect, which Countermand never follows/,
    ],
    ['gives no answer', { type: 'unanswered' as const }, /connection to the order service was lost/],
    ['gives half an answer', { type: 'truncated' as const }, /connection to the order service was lost/],
    ['answers what is not JSON', { type: 'garbage' as const }, /an answer that cannot be read/],
  ])('%s: the outcome is unknown, and it is never sent again', async (_name, fault, text) => {
    const desk = await startDesk();
    desk.service.faults.order({ on: kind.operation, fault });
    await askFor(desk, kind);
    const reply = await replyTo(desk, kind, text);
    expect(reply.text).toMatch(/may or may not be .*record the outcome here/);
    expect(reply.text).toContain(`<@${desk.ana.id}>`);
    expect(callsOf(desk, kind)).toBe(1);
  });

  test('is too slow: the outcome is unknown, and it is never sent again', async () => {
    const desk = await startDesk({ overrides: { serviceLimits: { deadlineMs: 300, maxBytes: 10_000 } } });
    const held = desk.service.faults.order({ on: kind.operation, fault: { type: 'hold', when: 'after' } });
    await askFor(desk, kind);
    await replyTo(desk, kind, /did not answer in time\. .* may or may not/);
    held.release();
    expect(callsOf(desk, kind)).toBe(1);
  });

  test('asks to slow down: it is sent when the service says so, and the card says that it waits', async () => {
    const desk = await startDesk();
    desk.service.faults.order({ on: kind.operation, fault: { type: 'rate_limit', retryAfterSeconds: 1 } });
    await askFor(desk, kind);
    await desk.slack.waitForMessage({
      channel: '#support',
      text: /asked Countermand to slow down.*Nothing was received yet, and the request expires/,
    });
    await replyTo(desk, kind, doneBy(kind));
    // The first of them was refused before it was read.
    expect(desk.service.calls({ operation: kind.operation }).map(({ status = 429 }) => status)).toEqual([
      429,
      expect.any(Number),
    ]);
  });

  test('is down: it is sent as soon as the service is back', async () => {
    const desk = await startDesk();
    await desk.service.close();
    await askFor(desk, kind);
    await desk.slack.waitForMessage({
      channel: '#support',
      text: /could not be reached.*Nothing was received yet/,
    });
    const port = Number(new URL(desk.service.url).port);
    const back = await startOrderService({ journal: desk.journal, port });
    try {
      await replyTo(desk, kind, doneBy(kind));
      expect(back.calls({ operation: kind.operation })).toHaveLength(1);
    } finally {
      await back.close();
    }
  });

  test('does not know the token any more: once there is another one, Retry helps', async () => {
    const desk = await startDesk();
    desk.service.organization().tokens.length = 0;
    await askFor(desk, kind);
    const reply = await replyTo(
      desk,
      kind,
      /refused this workspace's token\..* Ask an admin to connect the workspace again/,
    );
    expect(reply.text).toContain(kind.undone);
    await desk.connect({ token: desk.service.issueToken(), new_secret: ['new_secret'] });
    await desk.ana.click('Retry', await cardOf(desk, kind), { confirm: true });
    await replyTo(desk, kind, doneBy(kind));
  });
});
