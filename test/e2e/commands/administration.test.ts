import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

async function openDisconnect(harness: Harness) {
  await harness.olga.command('/countermand disconnect', { channel: '#support' });
  return harness.olga.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
}

async function disconnect(harness: Harness, text: string) {
  const plan = await openDisconnect(harness);
  await harness.olga.submit();
  await harness.olga.waitForModal(({ view }) => JSON.stringify(view).includes(text));
  return JSON.stringify(plan.view);
}

const revocations = (harness: Harness) => harness.service.calls({ operation: 'revoke_token' }).length;

describe('/countermand disconnect', () => {
  test('says what will happen, and then nobody can ask any more', async () => {
    const harness = await startHarness();
    const plan = await disconnect(harness, 'This workspace is disconnected');
    expect(plan).toContain('Nobody can make requests');
    expect(plan).toContain('does not revoke it: others may be using it');
    expect(revocations(harness)).toBe(0);
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await harness.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('This workspace is not connected'),
    );
  });

  test('revokes a token that is used by Countermand alone, first', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ exclusive: ['exclusive'] });
    const plan = await disconnect(harness, 'The token was revoked at the order service');
    expect(plan).toContain('it is revoked at the order service first');
    expect(revocations(harness)).toBe(1);
  });

  test('does not revoke one that another workspace is connected with', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ exclusive: ['exclusive'] });
    const parts = await harness.terminal();
    const other = { workspace: SEED.otherTeam, token: SEED_TOKENS.acme.rest, tokenKind: 'rest' as const };
    await parts.connect({ ...other, exclusive: true, newSecret: false, by: 'terminal' });
    expect(await disconnect(harness, 'has forgotten the token, and did not revoke it')).toContain(
      'another workspace is connected with it',
    );
    expect(revocations(harness)).toBe(0);
  });

  test('takes a 401 for a token that was revoked before', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ exclusive: ['exclusive'] });
    harness.service.faults.order({ on: 'revoke_token', fault: { type: 'status', status: 401 } });
    await disconnect(harness, 'no longer knew the token');
  });

  test('keeps the token where the service cannot be reached, and says so', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ exclusive: ['exclusive'] });
    await harness.service.close();
    await disconnect(harness, 'could not be reached to revoke the token, so nothing was changed');
    await harness.olga.closeModal();
    expect(JSON.stringify((await openDisconnect(harness)).view)).toContain('Nobody can make requests');
  });

  test('lets the outcome of a pending review still come into its thread, and then closes the endpoint', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    expect(await disconnect(harness, 'is disconnected')).toContain(
      'keep working until all of them are known',
    );
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /the review approved/);
    const { eventsUrl = '', secret = '' } = harness.endpoint ?? {};
    const body = JSON.stringify(harness.service.prepareEvent('A-2001'));
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-sibi-signature-256': signature };
    expect((await fetch(eventsUrl, { method: 'POST', headers, body })).status).toBe(404);
  });

  test('has nothing to do where nothing is connected', async () => {
    const harness = await startHarness({ connected: false });
    expect(JSON.stringify((await openDisconnect(harness)).view)).toContain('There is nothing to do');
  });

  test('is for admins and owners', async () => {
    const harness = await startHarness();
    await harness.ana.command('/countermand disconnect', { channel: '#support' });
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view).includes('Only admins and owners'));
  });
});

describe('/countermand settings', () => {
  async function openSettings(harness: Harness, who = harness.olga) {
    await who.command('/countermand settings', { channel: '#support' });
    return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
  }

  test('sets the reasons that agents choose from', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.submit({ reasons: 'Too late\n\n  Too dear  \nToo late' });
    await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view).includes('Too dear'));
    await harness.ana.submit({ reason_choice: 'Too dear' });
    await harness.reply('A-1001', /is cancelled/);
    expect((await openSettings(harness)).values['reasons']).toBe('Too late\nToo dear');
  });

  test('says so where nothing was changed, and where another admin was faster', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.submit();
    await harness.olga.waitForModal(({ view }) => JSON.stringify(view).includes('Nothing was changed'));
    await harness.olga.closeModal();
    await openSettings(harness);
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { orderIdPattern: 'A-####' });
    const { errors } = await harness.olga.submit({ order_id_pattern: 'B-####' });
    expect(errors).toEqual({
      order_id_pattern:
        'Another admin changed this after you opened the settings, so nothing was saved. Close the settings and open them again.',
    });
    expect((await settings.read(SEED.team)).orderIdPattern).toBe('A-####');
  });

  test('sets what an order id looks like: agents are helped at the field', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.submit({ order_id_pattern: 'A-####' });
    await harness.ana.command('/cancel-order 1001 x', { channel: '#support' });
    await harness.ana.waitForModal();
    const { errors } = await harness.ana.submit();
    expect(errors).toEqual({ target: expect.stringContaining('should look like A-####') });
    expect((await harness.ana.submit({ target: 'A-1001' })).outcome).toBe('closed');
  });

  test('sets who may ask, and keeps it when other things are set', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.search('requesters', 'agents');
    await harness.olga.submit({ requesters: SEED.groups.agents });
    await openSettings(harness);
    await harness.olga.submit({ order_id_pattern: 'A-####' });
    const dev = harness.slack.person('dev');
    await dev.command('/cancel-order A-1001 x', { channel: '#support' });
    await dev.waitForModal(({ view }) => JSON.stringify(view).includes('Only members of one user group'));
    expect((await openSettings(harness)).values['requesters']).toBe(SEED.groups.agents);
  });

  test('shows what is wrong at its field', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    const { errors } = await harness.olga.submit({ reasons: 'x'.repeat(80), order_id_pattern: 'A-1001' });
    expect(errors).toEqual({
      reasons: expect.stringContaining('at most 75 characters'),
      order_id_pattern: expect.stringContaining('Only one id matches'),
    });
  });

  test('is for admins and owners', async () => {
    const harness = await startHarness();
    const { view } = await openSettings(harness, harness.ana);
    expect(JSON.stringify(view)).toContain('Only admins and owners');
  });
});

describe('/countermand history', () => {
  async function openHistory(harness: Harness, who = harness.ana) {
    await who.command('/countermand history', { channel: '#support' });
    return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
  }

  test('lists the latest requests, page by page, the newest first', async () => {
    const harness = await startHarness({
      slack: { limits: { posts: { burst: 100, perSecond: 100 } } },
      env: { SLACK_POSTS_PER_MINUTE: '6000' },
    });
    for (let i = 1; i <= 12; i++) {
      harness.service.addOrder({ id: `H-${i}` });
      await harness.cancelOrder(`H-${i}`);
      await harness.reply(`H-${i}`, /is cancelled/);
    }
    const lines = (view: object) => JSON.stringify(view).match(/Cancel order H-\d+/g);
    const first = await openHistory(harness);
    expect(lines(first.view)).toHaveLength(10);
    expect(lines(first.view)?.[0]).toBe('Cancel order H-12');
    await harness.ana.click('Older');
    const second = await harness.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('Cancel order H-1 '),
    );
    expect(lines(second.view)).toEqual(['Cancel order H-2', 'Cancel order H-1']);
    await harness.ana.click('Newest');
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view).includes('H-12'));
  });

  test('filters by state, kind and person', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-2001', { who: harness.ben });
    await harness.reply('A-2001', /reviewing/);
    await openHistory(harness);
    const shows = (text: string, not: string) =>
      harness.ana.waitForModal(({ view }) => {
        const shown = JSON.stringify(view);
        return shown.includes(text) && !shown.includes(not);
      });
    await harness.ana.fill({ history_state: 'under_review' });
    await shows('A-2001', 'A-1001');
    await harness.ana.fill({ history_state: 'any', history_person: harness.ana.id });
    await shows('A-1001', 'A-2001');
    await harness.ana.fill({ history_kind: 'send_offer' });
    await shows('No requests match', 'A-1001');
  });

  test('shows no reason, and nothing at all to guests', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001', { reason: 'confidential' });
    await harness.reply('A-1001', /is cancelled/);
    expect(JSON.stringify(await openHistory(harness))).not.toContain('confidential');
    const { view } = await openHistory(harness, harness.slack.person('gina'));
    expect(JSON.stringify(view)).toContain('Guests cannot use');
  });
});
