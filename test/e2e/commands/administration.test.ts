import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';

async function openDisconnect(desk: Desk) {
  await desk.olga.command('/countermand disconnect', { channel: '#support' });
  return desk.olga.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
}

async function disconnect(desk: Desk, text: string) {
  const plan = await openDisconnect(desk);
  await desk.olga.submit();
  await desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes(text));
  return JSON.stringify(plan.view);
}

const revocations = (desk: Desk) => desk.service.calls({ operation: 'revoke_token' }).length;

describe('/countermand disconnect', () => {
  test('says what will happen, and then nobody can ask any more', async () => {
    const desk = await startDesk();
    const plan = await disconnect(desk, 'This workspace is disconnected');
    expect(plan).toContain('Nobody can make requests');
    expect(plan).toContain('does not revoke it: others may be using it');
    expect(revocations(desk)).toBe(0);
    await desk.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await desk.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('This workspace is not connected'),
    );
  });

  test('revokes a token that is used by Countermand alone, first', async () => {
    const desk = await startDesk({ connected: false });
    await desk.connect({ exclusive: ['exclusive'] });
    const plan = await disconnect(desk, 'The token was revoked at the order service');
    expect(plan).toContain('it is revoked at the order service first');
    expect(revocations(desk)).toBe(1);
  });

  test('does not revoke one that another workspace is connected with', async () => {
    const desk = await startDesk({ connected: false });
    await desk.connect({ exclusive: ['exclusive'] });
    const parts = await desk.terminal();
    const other = { workspace: SEED.otherTeam, token: SEED_TOKENS.acme.rest, tokenKind: 'rest' as const };
    await parts.connect({ ...other, exclusive: true, newSecret: false, by: 'terminal' });
    expect(await disconnect(desk, 'has forgotten the token, and did not revoke it')).toContain(
      'another workspace is connected with it',
    );
    expect(revocations(desk)).toBe(0);
  });

  test('takes a 401 for a token that was revoked before', async () => {
    const desk = await startDesk({ connected: false });
    await desk.connect({ exclusive: ['exclusive'] });
    desk.service.faults.order({ on: 'revoke_token', fault: { type: 'status', status: 401 } });
    await disconnect(desk, 'no longer knew the token');
  });

  test('keeps the token where the service cannot be reached, and says so', async () => {
    const desk = await startDesk({ connected: false });
    await desk.connect({ exclusive: ['exclusive'] });
    await desk.service.close();
    await disconnect(desk, 'could not be reached to revoke the token, so nothing was changed');
    await desk.olga.closeModal();
    expect(JSON.stringify((await openDisconnect(desk)).view)).toContain('Nobody can make requests');
  });

  test('lets the outcome of a pending review still come into its thread, and then closes the endpoint', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    expect(await disconnect(desk, 'is disconnected')).toContain('keep working until all of them are known');
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /the review approved/);
    const { eventsUrl = '', secret = '' } = desk.endpoint ?? {};
    const body = JSON.stringify(desk.service.prepareEvent('A-2001'));
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-sibi-signature-256': signature };
    expect((await fetch(eventsUrl, { method: 'POST', headers, body })).status).toBe(404);
  });

  test('has nothing to do where nothing is connected', async () => {
    const desk = await startDesk({ connected: false });
    expect(JSON.stringify((await openDisconnect(desk)).view)).toContain('There is nothing to do');
  });

  test('is for admins and owners', async () => {
    const desk = await startDesk();
    await desk.ana.command('/countermand disconnect', { channel: '#support' });
    await desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes('Only admins and owners'));
  });
});

describe('/countermand settings', () => {
  async function openSettings(desk: Desk, who = desk.olga) {
    await who.command('/countermand settings', { channel: '#support' });
    return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
  }

  test('sets the reasons that agents choose from', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    await desk.olga.submit({ reasons: 'Too late\n\n  Too dear  \nToo late' });
    await desk.ana.command('/cancel-order A-1001', { channel: '#support' });
    await desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes('Too dear'));
    await desk.ana.submit({ reason_choice: 'Too dear' });
    await desk.reply('A-1001', /is cancelled/);
    expect((await openSettings(desk)).values['reasons']).toBe('Too late\nToo dear');
  });

  test('says so where nothing was changed, and where another admin was faster', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    await desk.olga.submit();
    await desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes('Nothing was changed'));
    await desk.olga.closeModal();
    await openSettings(desk);
    const { settings } = await desk.terminal();
    await settings.change(SEED.team, { orderIdPattern: 'A-####' });
    const { errors } = await desk.olga.submit({ order_id_pattern: 'B-####' });
    expect(errors).toEqual({
      order_id_pattern:
        'Another admin changed this after you opened the settings, so nothing was saved. Close the settings and open them again.',
    });
    expect((await settings.read(SEED.team)).orderIdPattern).toBe('A-####');
  });

  test('sets what an order id looks like: agents are helped at the field', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    await desk.olga.submit({ order_id_pattern: 'A-####' });
    await desk.ana.command('/cancel-order 1001 x', { channel: '#support' });
    await desk.ana.waitForModal();
    const { errors } = await desk.ana.submit();
    expect(errors).toEqual({ target: expect.stringContaining('should look like A-####') });
    expect((await desk.ana.submit({ target: 'A-1001' })).outcome).toBe('closed');
  });

  test('sets who may ask, and keeps it when other things are set', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    await desk.olga.search('requesters', 'agents');
    await desk.olga.submit({ requesters: SEED.groups.agents });
    await openSettings(desk);
    await desk.olga.submit({ order_id_pattern: 'A-####' });
    const dev = desk.slack.person('dev');
    await dev.command('/cancel-order A-1001 x', { channel: '#support' });
    await dev.waitForModal(({ view }) => JSON.stringify(view).includes('Only members of one user group'));
    expect((await openSettings(desk)).values['requesters']).toBe(SEED.groups.agents);
  });

  test('shows what is wrong at its field', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    const { errors } = await desk.olga.submit({ reasons: 'x'.repeat(80), order_id_pattern: 'A-1001' });
    expect(errors).toEqual({
      reasons: expect.stringContaining('at most 75 characters'),
      order_id_pattern: expect.stringContaining('Only one id matches'),
    });
  });

  test('is for admins and owners', async () => {
    const desk = await startDesk();
    const { view } = await openSettings(desk, desk.ana);
    expect(JSON.stringify(view)).toContain('Only admins and owners');
  });
});

describe('/countermand history', () => {
  async function openHistory(desk: Desk, who = desk.ana) {
    await who.command('/countermand history', { channel: '#support' });
    return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
  }

  test('lists the latest requests, page by page, the newest first', async () => {
    const desk = await startDesk({
      slack: { limits: { posts: { burst: 100, perSecond: 100 } } },
      env: { SLACK_POSTS_PER_MINUTE: '6000' },
    });
    for (let i = 1; i <= 12; i++) {
      desk.service.addOrder({ id: `H-${i}` });
      await desk.ask(`H-${i}`);
      await desk.reply(`H-${i}`, /is cancelled/);
    }
    const lines = (view: object) => JSON.stringify(view).match(/Cancel order H-\d+/g);
    const first = await openHistory(desk);
    expect(lines(first.view)).toHaveLength(10);
    expect(lines(first.view)?.[0]).toBe('Cancel order H-12');
    await desk.ana.click('Older');
    const second = await desk.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('Cancel order H-1 '),
    );
    expect(lines(second.view)).toEqual(['Cancel order H-2', 'Cancel order H-1']);
    await desk.ana.click('Newest');
    await desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes('H-12'));
  });

  test('filters by state, kind and person', async () => {
    const desk = await startDesk();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    await desk.ask('A-2001', { who: desk.ben });
    await desk.reply('A-2001', /reviewing/);
    await openHistory(desk);
    const shows = (text: string, not: string) =>
      desk.ana.waitForModal(({ view }) => {
        const shown = JSON.stringify(view);
        return shown.includes(text) && !shown.includes(not);
      });
    await desk.ana.fill({ history_state: 'under_review' });
    await shows('A-2001', 'A-1001');
    await desk.ana.fill({ history_state: 'any', history_person: desk.ana.id });
    await shows('A-1001', 'A-2001');
    await desk.ana.fill({ history_kind: 'send_offer' });
    await shows('No requests match', 'A-1001');
  });

  test('shows no reason, and nothing at all to guests', async () => {
    const desk = await startDesk();
    await desk.ask('A-1001', { reason: 'confidential' });
    await desk.reply('A-1001', /is cancelled/);
    expect(JSON.stringify(await openHistory(desk))).not.toContain('confidential');
    const { view } = await openHistory(desk, desk.slack.person('gina'));
    expect(JSON.stringify(view)).toContain('Guests cannot use');
  });
});
