import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/lib/control/fault-schema.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startDesk } from '../../support/e2e/harness.ts';

/** A workspace whose token is Countermand's alone, and the confirmation that Olga has before her. */
async function confirming() {
  const desk = await startDesk({ connected: false });
  const endpoint = await desk.connect({ exclusive: ['exclusive'] });
  const seen = (text: string) => desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes(text));
  const open = async () => {
    await desk.olga.command('/countermand disconnect', { channel: '#support' });
    await seen('Nobody can make requests');
  };
  const revocation = (fault: Fault) => desk.service.faults.order({ on: 'revoke_token', fault });
  const revocations = () => desk.service.calls({ operation: 'revoke_token' }).length;
  const cancels = async (order: string) => {
    expect((await desk.ask(order)).outcome).toBe('closed');
    await desk.reply(order, /is cancelled/);
  };
  await open();
  return { ...desk, endpoint, seen, open, revocation, revocations, cancels };
}

const reference = (view: unknown) => /[Rr]eference:? ([A-Z0-9]+)/.exec(JSON.stringify(view))?.[1] ?? '-';

describe('disconnecting a workspace that another admin connects anew meanwhile', () => {
  test('leaves the new connection alone, and says so', async () => {
    const desk = await confirming();
    const held = desk.revocation({ type: 'hold', when: 'after' });
    await desk.olga.submit();
    await held.reached;
    const parts = await desk.terminal();
    const anew = { workspace: SEED.team, token: SEED_TOKENS.acme.graphql, tokenKind: 'graphql' as const };
    const by = desk.slack.person('oscar').id;
    await parts.connect({ ...anew, exclusive: false, newSecret: false, by });
    held.release();
    const { view } = await desk.seen('connected again in the meantime');
    expect(JSON.stringify(view)).toContain(`<@${by}>`);
    await desk.olga.closeModal();
    await desk.cancels('A-1001');
  });
});

describe('the endpoint of a workspace that was disconnected', () => {
  test('is gone once nothing is owed, and a request that nobody signed deletes nothing', async () => {
    const desk = await confirming();
    await desk.olga.closeModal();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    await desk.open();
    await desk.olga.submit();
    await desk.seen('This workspace is disconnected');
    const { eventsUrl } = desk.endpoint;
    const headers = { 'content-type': 'application/json' };
    const unsigned = async () => (await fetch(eventsUrl, { method: 'POST', headers, body: '{}' })).status;
    expect(await unsigned()).toBe(401);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    expect(await unsigned()).toBe(404);
    const { connections } = await desk.terminal();
    expect(await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '')).toBeDefined();
  });
});

describe('a revocation', () => {
  test.each([
    ['is not answered', { type: 'unanswered' as const }],
    ['fails', { type: 'status' as const, status: 500 }],
  ])('that %s may have been done: the admin reads so, with a reference', async (_name, fault) => {
    const desk = await confirming();
    desk.revocation(fault);
    await desk.olga.submit();
    const { view } = await desk.seen('do not know whether the token was revoked');
    expect(JSON.stringify(view)).toContain('/countermand disconnect again');
    expect(desk.logged.text()).toContain(reference(view));
  });

  test('that nobody knows the end of is found out by disconnecting again', async () => {
    const desk = await confirming();
    desk.revocation({ type: 'unanswered' });
    await desk.olga.submit();
    await desk.seen('do not know whether the token was revoked');
    await desk.olga.closeModal();
    await desk.open();
    await desk.olga.submit();
    await desk.seen('no longer knew the token');
  });

  test('that is turned away unread changes nothing, and says when to try again', async () => {
    const desk = await confirming();
    desk.revocation({ type: 'rate_limit', retryAfterSeconds: 30 });
    await desk.olga.submit();
    const { view } = await desk.seen('too many requests');
    expect(JSON.stringify(view)).toContain('in 30 seconds');
    await desk.olga.closeModal();
    await desk.cancels('A-1001');
  });

  test.each([403, 404, 409])('that is refused (%s) leaves a way out, which works', async (status) => {
    const desk = await confirming();
    desk.revocation({ type: 'status', status, body: '' });
    await desk.olga.submit();
    const { view } = await desk.seen(`refused to revoke the token (HTTP_${status})`);
    expect(JSON.stringify(view)).toContain('without “Used by Countermand alone”');
    await desk.olga.closeModal();
    await desk.openConnect();
    await desk.olga.submit({ token: SEED_TOKENS.acme.rest, exclusive: [] });
    await desk.seen('is connected');
    await desk.olga.closeModal();
    await desk.open();
    await desk.olga.submit();
    await desk.seen('has forgotten the token, and did not revoke it');
    expect(desk.revocations()).toBe(1);
  });
});

describe('the outcome of disconnecting', () => {
  test('that Slack does not show is told directly, as it is', async () => {
    const desk = await confirming();
    desk.slack.faults.order({ on: 'views.update', fault: { type: 'status', status: 500 } });
    await desk.olga.submit();
    const told = await desk.olga.waitForDirectMessage();
    expect(told.text).toContain('This workspace is disconnected');
    expect(told.text).not.toContain('nothing more was done');
  });

  test('that can be told in no way is in the log, and nothing false is said', async () => {
    const desk = await confirming();
    desk.slack.faults.order({ on: 'views.update', fault: { type: 'status', status: 500 } });
    desk.slack.faults.order({ on: 'conversations.open', fault: { type: 'status', status: 500 } });
    await desk.olga.submit();
    await expect.poll(desk.logged.text).toContain('nobody could be told the outcome');
    expect(JSON.stringify(desk.olga.modal())).not.toContain('nothing more was done');
  });

  test('is one, though Slack delivers the submission twice', async () => {
    const desk = await confirming();
    const held = desk.revocation({ type: 'hold', when: 'before' });
    await desk.olga.submit();
    await held.reached;
    const [submission] = desk.journal.entries(({ name, request }) => {
      return name === 'view_submission' && JSON.stringify(request).includes('"callback_id":"disconnect"');
    });
    const { body } = (submission?.request ?? {}) as { body: Record<string, unknown> };
    expect(await desk.slack.sendCustom({ kind: 'interactivity', body })).toMatchObject({ status: 200 });
    held.release();
    await desk.seen('The token was revoked at the order service');
    expect(desk.revocations()).toBe(1);
  });
});
