/** Failures on the way, and the sentences about them: the same for every kind of request, so they are tested with one. */
import { describe, expect, test } from 'vitest';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { requestDueAt } from '../../../src/requests/model/pending-effects.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  cardOf,
  type KindOfRequest,
  kindOf,
  openForm,
  replyTo,
  submitRequest,
} from '../../support/e2e/kinds.ts';
import { isTold } from '../../support/e2e/told.ts';

const callsOf = ({ service }: Harness, { operation }: KindOfRequest) => service.calls({ operation }).length;

/** Checks that a request was sent once, and that nothing about it is due any more, now or later. */
async function restsAfterOneCall(harness: Harness, each: KindOfRequest) {
  const { storage } = await harness.terminal();
  const due = async () => {
    const records = await storage.requests.list(SEED.team, { limit: 2 });
    return records.map((record) => [record.state, requestDueAt(record, TIMINGS)]);
  };
  await expect.poll(due).toEqual([['unknown', undefined]]);
  expect(callsOf(harness, each)).toBe(1);
}

const doneBy = ({ done }: KindOfRequest) => new RegExp(done);

const kind = kindOf('cancel_order');

describe('a request is not begun', () => {
  test('where nobody has connected the workspace, and everybody reads what to do', async () => {
    const harness = await startHarness({ connected: false });
    await isTold(
      harness.ana,
      `${kind.command} ${kind.target} x`,
      'An admin can connect it with /countermand connect',
    );
    expect(harness.slack.messages('#support')).toEqual([]);
  });

  test('in a private channel that the bot is not in, until it is invited', async () => {
    const harness = await startHarness();
    const given = { who: harness.slack.person('cara'), channel: '#support-leads' };
    const { errors } = await submitRequest(harness, kind, given);
    expect(errors).toEqual({ channel: expect.stringContaining('/invite @Countermand') });
    expect(callsOf(harness, kind)).toBe(0);
    // Doing what it says helps at once.
    harness.slack.admin.invite(SEED.channels.supportLeads, harness.slack.installation().bot_user_id);
    expect((await given.who.submit()).outcome).toBe('closed');
    await replyTo(harness, kind, doneBy(kind), given);
  });

  test('in a channel that was archived while the form was open', async () => {
    const harness = await startHarness();
    await openForm(harness, kind);
    harness.slack.admin.archive(SEED.channels.support);
    expect((await harness.ana.submit()).errors).toEqual({ channel: expect.stringContaining('is archived') });
    expect(callsOf(harness, kind)).toBe(0);
  });

  test('twice at once: a second agent gets a link to the thread of the first one', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: kind.operation, fault: { type: 'unanswered' } });
    await submitRequest(harness, kind);
    await replyTo(harness, kind, /may or may not/);
    const { outcome, modal } = await submitRequest(harness, kind, { who: harness.ben });
    expect(outcome).toBe('pushed');
    const text = JSON.stringify(modal?.view);
    expect(text).toContain(`There is already an open request to ${kind.deed.toLowerCase()} ${kind.target}`);
    expect(text).toMatch(/<https:\/\/acme-support\.slack\.test\/archives\/[^|]+\|Open its thread>/);
    expect(callsOf(harness, kind)).toBe(1);
  });
});

describe('a request meets an order service that', () => {
  test.each([
    [
      'answers 500',
      {
        type: 'status' as const,
        status: 500,
        body: { code: 'INTERNAL_SERVER_ERROR', message: 'Try at ten' },
      },
      /failed while it worked on the request \(HTTP 500\).*“Try at ten” \(INTERNAL_SERVER_ERROR\)/s,
    ],
    ['does not answer', { type: 'unanswered' as const }, /connection to the order service was lost/],
  ])('%s: the outcome is unknown, and it is never sent again', async (_name, fault, text) => {
    const harness = await startHarness();
    harness.service.faults.schedule({ on: kind.operation, fault });
    await submitRequest(harness, kind);
    const reply = await replyTo(harness, kind, text);
    expect(reply.text).toMatch(/may or may not be /);
    expect(reply.text).toContain(`<@${harness.ana.id}>`);
    await restsAfterOneCall(harness, kind);
  });

  test('is too slow: the outcome is unknown, and it is never sent again', async () => {
    const harness = await startHarness({
      overrides: { serviceLimits: { deadlineMs: 300, maxBytes: 10_000 } },
    });
    const held = harness.service.faults.schedule({
      on: kind.operation,
      fault: { type: 'hold', when: 'after' },
    });
    await submitRequest(harness, kind);
    await replyTo(harness, kind, /did not answer in time\. .* may or may not/);
    held.release();
    await restsAfterOneCall(harness, kind);
  });

  test('asks to slow down: it is sent when the service says so, and the card says that it waits', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: kind.operation,
      fault: { type: 'rate_limit', retryAfterSeconds: 1 },
    });
    await submitRequest(harness, kind);
    await harness.slack.waitForMessage({
      channel: '#support',
      text: /asked Countermand to slow down.*Nothing was received yet\. The request expires/,
    });
    await replyTo(harness, kind, doneBy(kind));
    // The first of them was refused before it was read.
    expect(harness.service.calls({ operation: kind.operation }).map(({ status = 429 }) => status)).toEqual([
      429,
      expect.any(Number),
    ]);
  });

  test('is down: it is sent as soon as the service is back', async () => {
    const harness = await startHarness();
    await harness.service.close();
    await submitRequest(harness, kind);
    await harness.slack.waitForMessage({
      channel: '#support',
      text: /could not be reached.*Nothing was received yet/,
    });
    const port = Number(new URL(harness.service.url).port);
    const back = await startOrderService({ journal: harness.journal, port });
    try {
      await replyTo(harness, kind, doneBy(kind));
      expect(back.calls({ operation: kind.operation })).toHaveLength(1);
    } finally {
      await back.close();
    }
  });

  test('does not know the token any more: once there is another one, Retry helps', async () => {
    const harness = await startHarness();
    harness.service.organization().tokens.length = 0;
    await submitRequest(harness, kind);
    const reply = await replyTo(harness, kind, /refused this workspace's token, so /);
    expect(reply.text).toContain(kind.undone);
    await harness.connect({ token: harness.service.issueToken(), events_secret: 'replace' });
    await harness.ana.click('Retry', await cardOf(harness, kind), { confirm: true });
    await replyTo(harness, kind, doneBy(kind));
  });
});
