import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/lib/faults/faults.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { post } from '../../support/e2e/service-events.ts';

/** A workspace whose token is Countermand's alone, and the confirmation that Olga has before her. */
async function confirming() {
  const harness = await startHarness({ connected: false });
  const endpoint = await harness.connect({ exclusive: ['exclusive'] });
  const seen = (text: string) => harness.olga.waitForModal({ text });
  const open = async () => {
    await harness.olga.command('/countermand disconnect', { channel: '#support' });
    await seen('Nobody can make requests');
  };
  const revocation = (fault: Fault) => harness.service.faults.schedule({ on: 'revoke_token', fault });
  const revocations = () => harness.service.calls({ operation: 'revoke_token' }).length;
  const cancels = async (order: string) => {
    expect((await harness.cancelOrder(order)).outcome).toBe('closed');
    await harness.reply(order, /is cancelled/);
  };
  await open();
  return { ...harness, endpoint, seen, open, revocation, revocations, cancels };
}

const INCONCLUSIVE =
  "We don't know whether the token was revoked: the order service's answer was inconclusive.";

const reference = (view: unknown) => /[Rr]eference:? ([A-Z0-9]+)/.exec(JSON.stringify(view))?.[1] ?? '-';

describe('disconnecting a workspace that another admin connects anew meanwhile', () => {
  test('leaves the new connection alone, and says so', async () => {
    const harness = await confirming();
    const held = harness.revocation({ type: 'hold', when: 'after' });
    await harness.olga.submit();
    await held.reached;
    const parts = await harness.terminal();
    const anew = { workspace: SEED.team, token: SEED_TOKENS.acme.graphql, tokenKind: 'graphql' as const };
    const by = harness.slack.person('oscar').id;
    await parts.connect({ ...anew, exclusive: false, newSecret: false, by });
    held.release();
    const { view } = await harness.seen('connected again in the meantime');
    expect(JSON.stringify(view)).toContain(`<@${by}>`);
    await harness.olga.closeModal();
    await harness.cancels('A-1001');
  });
});

describe('a form that was opened before another admin connected the workspace anew', () => {
  const anew = async ({ terminal, slack }: Awaited<ReturnType<typeof startHarness>>) => {
    const by = slack.person('oscar').id;
    const token = { token: SEED_TOKENS.acme.graphql, tokenKind: 'graphql' as const };
    const made = { workspace: SEED.team, ...token, exclusive: false, newSecret: false, by };
    const parts = await terminal();
    expect(await parts.connect(made)).toMatchObject({ type: 'connected' });
    return by;
  };

  test('disconnects nothing, revokes no token, and names who connected it', async () => {
    const harness = await confirming();
    const by = await anew(harness);
    await harness.olga.submit();
    const { view } = await harness.seen('so nothing was changed');
    expect(JSON.stringify(view)).toContain(`<@${by}>`);
    expect(harness.revocations()).toBe(0);
    await harness.olga.closeModal();
    await harness.cancels('A-1001');
  });

  test('replaces no connection and revokes no former token', async () => {
    const harness = await confirming();
    await harness.olga.closeModal();
    await harness.olga.command('/countermand connect', { channel: '#support' });
    await harness.seen('A new token replaces');
    await anew(harness);
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest, revoke_former: ['revoke_former'] });
    await harness.seen('so nothing was saved');
    expect(harness.revocations()).toBe(0);
    const { connections } = await harness.terminal();
    expect(await connections.find(SEED.team)).toMatchObject({ tokenKind: 'graphql' });
  });
});

describe('the endpoint of a workspace that was disconnected', () => {
  test('is gone once nothing is owed, and a request that nobody signed deletes nothing', async () => {
    const harness = await confirming();
    await harness.olga.closeModal();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await harness.open();
    await harness.olga.submit();
    await harness.seen('This workspace is disconnected');
    const { eventsUrl } = harness.endpoint;
    const unsigned = async () => (await post({ eventsUrl, secret: 'another' }, {})).status;
    expect(await unsigned()).toBe(401);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    expect(await unsigned()).toBe(404);
    const { connections } = await harness.terminal();
    expect(await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '')).toBeDefined();
  });
});

describe('a revocation', () => {
  test.each([
    ['is not answered', { type: 'drop' as const }],
    ['fails', { type: 'status' as const, status: 500 }],
    ['is taken for later', { type: 'status' as const, status: 202 }],
    [
      'succeeds, and says that it has not',
      { type: 'status' as const, status: 200, body: { success: false } },
    ],
  ])('that %s may have been done: the admin reads so, with a reference', async (_name, fault) => {
    const harness = await confirming();
    harness.revocation(fault);
    await harness.olga.submit();
    const { view } = await harness.seen(INCONCLUSIVE);
    expect(JSON.stringify(view)).toContain('/countermand disconnect again');
    expect(harness.logged.text()).toContain(reference(view));
  });

  test('that was done and not confirmed is found by trying the token', async () => {
    const harness = await confirming();
    harness.revocation({ type: 'unanswered' });
    await harness.olga.submit();
    await harness.seen('The token was revoked at the order service');
  });

  test('that nobody knows the end of is found out by disconnecting again', async () => {
    const harness = await confirming();
    harness.revocation({ type: 'unanswered' });
    harness.service.faults.schedule({ on: 'get_sub_brands', fault: { type: 'drop' } });
    await harness.olga.submit();
    await harness.seen(INCONCLUSIVE);
    await harness.olga.closeModal();
    await harness.open();
    await harness.olga.submit();
    await harness.seen('no longer knew the token');
  });

  test('that is turned away keeps the connection', async () => {
    const harness = await confirming();
    harness.revocation({ type: 'rate_limit', retryAfterSeconds: 30 });
    await harness.olga.submit();
    await harness.seen(INCONCLUSIVE);
    await harness.olga.closeModal();
    await harness.cancels('A-1001');
  });

  test.each([403, 404, 409])('that is refused (%s) leaves a way out, which works', async (status) => {
    const harness = await confirming();
    harness.revocation({ type: 'status', status, body: '' });
    await harness.olga.submit();
    const { view } = await harness.seen(`Code: HTTP_${status}.`);
    expect(JSON.stringify(view)).toContain('without “Used by Countermand alone”');
    await harness.olga.closeModal();
    await harness.openConnect();
    await harness.olga.submit({ token: SEED_TOKENS.acme.rest, exclusive: [] });
    await harness.seen('is connected');
    await harness.olga.closeModal();
    await harness.open();
    await harness.olga.submit();
    await harness.seen('has forgotten the token, and did not revoke it');
    expect(harness.revocations()).toBe(1);
  });
});

describe('the outcome of disconnecting', () => {
  test('that Slack does not show is told directly, as it is', async () => {
    const harness = await confirming();
    harness.slack.faults.schedule({ on: 'views.update', fault: { type: 'status', status: 500 } });
    await harness.olga.submit();
    const notice = await harness.olga.waitForDirectMessage();
    expect(notice.text).toContain('This workspace is disconnected');
    expect(notice.text).not.toContain('nothing more was done');
  });

  test('that can be told in no way is in the log, and nothing false is said', async () => {
    const harness = await confirming();
    harness.slack.faults.schedule({ on: 'views.update', fault: { type: 'status', status: 500 } });
    harness.slack.faults.schedule({ on: 'conversations.open', fault: { type: 'status', status: 500 } });
    await harness.olga.submit();
    await expect.poll(harness.logged.text).toContain('outcome not delivered');
    expect(JSON.stringify(harness.olga.modal())).not.toContain('nothing more was done');
  });

  test('is told once, though Slack delivers the submission twice', async () => {
    const harness = await confirming();
    const held = harness.revocation({ type: 'hold', when: 'before' });
    await harness.olga.submit();
    await held.reached;
    const [submission] = harness.journal.entries(({ name, request }) => {
      return name === 'view_submission' && JSON.stringify(request).includes('"callback_id":"disconnect"');
    });
    const { body } = (submission?.request ?? {}) as { body: Record<string, unknown> };
    expect(await harness.slack.sendCustom({ kind: 'interactivity', body })).toMatchObject({ status: 200 });
    held.release();
    await harness.seen('The token was revoked at the order service');
    expect(harness.revocations()).toBe(1);
  });
});
