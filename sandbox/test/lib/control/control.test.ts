import { describe, expect, test } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openOrderServiceHarness } from '../../support/order-service-harness.ts';
import { modal, openSlackHarness, payloadOf, SUPPORT } from '../../support/slack-harness.ts';

const controlOf = (url: string) => async (method: string, path: string, body?: object) => {
  const init = { method, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${new URL(url).origin}/control/${path}`, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
};

describe('over HTTP, on Slack', () => {
  test('a person does what a person does', async () => {
    const { slack, bot, call } = await openSlackHarness();
    const control = controlOf(slack.apiUrl);
    const ana = (act: string, body: object) => control('POST', `people/ana/${act}`, body);
    expect((await ana('command', { line: '/cancel-order', channel: '#support' })).body.ack.status).toBe(200);
    await call('views.open', { trigger_id: payloadOf(bot).trigger_id, view: modal() });
    expect((await control('GET', 'people/ana')).body.modal.title).toBe('Cancel an order');
    await ana('fill', { values: { order_id: 'A-1001' } });
    expect((await ana('submit', { values: { reason: 'Late' } })).body).toMatchObject({ outcome: 'closed' });

    const { body: said } = await ana('say', { text: 'Done', channel: '#support' });
    await ana('react', { reaction: '+1', message: { channel: '#support', ts: said.ts } });
    expect((await control('GET', `channels/${SUPPORT}/messages`)).body).toMatchObject([
      { text: 'Done', reactions: { '+1': [SEED.users.ana] } },
    ]);
    expect((await control('GET', `channels/${SUPPORT}/threads/${said.ts}/text`)).body.text).toContain('Done');
  });

  test('the workspace is administered and looked at', async () => {
    const { slack } = await openSlackHarness();
    const control = controlOf(slack.apiUrl);
    await control('POST', 'admin/invite', { channel: SUPPORT, user: SEED.users.gus });
    await control('POST', 'admin/set-role', { user: SEED.users.ana, role: 'admin' });
    const { body } = await control('GET', 'state');
    expect(body.users).toContainEqual(expect.objectContaining({ name: 'ana', is_admin: true }));
    const support = body.channels.find(({ id }: { id: string }) => id === SUPPORT);
    expect(support.members).toContain(SEED.users.gus);
  });

  test('a workspace is added, and the app is installed, set and taken away there', async () => {
    const { slack } = await openSlackHarness({ subscriptions: ['app_uninstalled', 'tokens_revoked'] });
    const control = controlOf(slack.apiUrl);
    await control('POST', 'admin/set-app', { tokenRotation: true, tokenLifetimeSeconds: 60 });
    const { body } = await control('POST', 'admin/add-workspace', {
      name: 'Hooli',
      people: [{ name: 'hal', role: 'admin' }],
      channels: [{ name: 'care', members: ['hal'] }],
    });
    const team = body.team.id;
    await control('POST', 'admin/install', { team });
    expect(slack.installation(team).token).toMatch(/^xoxe\.xoxb-/);
    expect((await control('POST', 'admin/expire-tokens', { team })).status).toBe(200);
    await control('POST', 'admin/uninstall', { team, first: 'tokens_revoked' });
    const { body: events } = await control('GET', 'events');
    expect(
      events.map(({ envelope }: { envelope: { event: { type: string } } }) => envelope.event.type),
    ).toEqual(['tokens_revoked', 'app_uninstalled']);
    expect((await control('POST', 'admin/install', { team: 'T0NOWHERE' })).body.error).toContain(
      'no workspace',
    );
  });

  test('faults are scheduled, listed, released and cancelled, and the journal is read', async () => {
    const { slack, call } = await openSlackHarness();
    const control = controlOf(slack.apiUrl);
    const hold = {
      on: 'users.info',
      where: { user: SEED.users.ana },
      fault: { type: 'hold', when: 'before' },
    };
    const { body: scheduled } = await control('POST', 'faults', hold);
    const held = call('users.info', { user: SEED.users.ana });
    await slack.faults.list()[0]?.reached;
    expect((await control('GET', 'faults')).body).toMatchObject([{ id: scheduled.id, remaining: 0 }]);
    await control('POST', `faults/${scheduled.id}/release`);
    expect((await held).ok).toBe(true);
    const { body: entries } = await control('GET', 'journal?kind=web_api&name=users.info');
    expect(entries).toMatchObject([{ ended: 'answered', fault: { type: 'hold' } }]);
    expect((await control('GET', `journal?after=${entries[0].n}`)).body).toEqual([]);
    await control('POST', 'faults', { on: '*', fault: { type: 'drop' } });
    await control('DELETE', 'faults/fault-2');
    expect((await call('users.info', { user: SEED.users.ana })).ok).toBe(true);
  });

  test.each([
    ['POST', 'people/ana/explode', {}, 404, 'there is no route POST /control/people/ana/explode'],
    ['POST', 'people/nobody/say', { text: 'a', channel: 'b' }, 400, 'there is nobody called nobody'],
    ['POST', 'people/ana/say', { channel: '#support' }, 400, 'text'],
    ['POST', 'people/ana/say', { text: 'a', channel: '#nowhere' }, 400, 'there is no channel #nowhere'],
    ['POST', 'faults', { on: 'x', fault: { type: 'flood' } }, 400, 'fault'],
    ['POST', 'faults/fault-9/release', {}, 400, 'there is no fault fault-9'],
    ['GET', 'journal?nonsense=1', undefined, 400, 'nonsense'],
  ])('%s %s is a mistake that is told in a sentence', async (method, path, body, status, sentence) => {
    const { slack } = await openSlackHarness();
    const answer = await controlOf(slack.apiUrl)(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(sentence);
  });

  test('a body that is no JSON is a mistake too', async () => {
    const { slack } = await openSlackHarness();
    const url = `${new URL(slack.apiUrl).origin}/control/people/ana/say`;
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
  });
});

test("over HTTP, the order service's back office decides, and sends events by hand", async () => {
  const { service, bot, cancel } = await openOrderServiceHarness();
  const control = controlOf(service.url);
  await control('POST', 'subscriptions', { url: bot.url, secret: 'a-shared-secret' });
  await control('POST', 'orders', { id: 'A-3001', reviewed: true });
  await control('POST', 'events/pause');
  await cancel('A-3001');
  const { body: kept } = await control('POST', 'events/take-kept');
  await control('POST', 'events/resume');
  expect(kept).toMatchObject([{ event: { topic: 'order.cancellationrequest.created' } }]);
  await control('POST', 'events', { event: kept[0].event });
  const { body: emission } = await control('POST', 'orders/A-3001/approve', {});
  await bot.count(2);
  expect(emission.event.data).toMatchObject({ orderId: 'A-3001', status: 'approved' });
  await control('POST', `deliveries/${emission.deliveries[0].id}/redeliver`);
  await bot.count(3);
  expect((await control('GET', 'deliveries')).body).toHaveLength(3);
  expect((await control('GET', 'calls?orderId=A-3001')).body).toMatchObject([{ status: 201 }]);
  expect((await control('GET', 'organizations/acme')).body.orders['A-3001'].cancellation.status).toBe(
    'approved',
  );
  const { body: issued } = await control('POST', 'tokens', {});
  expect((await cancel('A-1001', 'Late', issued.token)).status).toBe(201);
  expect((await control('POST', 'orders/A-1001/approve', {})).body.error).toContain('cancelled at once');
});
