import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

async function openDisconnect(harness: Harness) {
  await harness.olga.command('/countermand disconnect', { channel: '#support' });
  return harness.olga.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
}

async function disconnect(harness: Harness, text: string) {
  const plan = await openDisconnect(harness);
  await harness.olga.submit();
  await harness.olga.waitForModal({ text });
  return JSON.stringify(plan.view);
}

const revocations = (harness: Harness) => harness.service.calls({ operation: 'revoke_token' }).length;

describe('/countermand disconnect', () => {
  test('says what will happen, and then nobody can make requests any more', async () => {
    const harness = await startHarness();
    const plan = await disconnect(harness, 'This workspace is disconnected');
    expect(plan).toContain('Nobody can make requests');
    expect(plan).toContain('does not revoke it: others may be using it');
    expect(revocations(harness)).toBe(0);
    await isTold(harness.ana, '/cancel-order A-1001 x', 'This workspace is not connected');
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
    harness.service.faults.schedule({ on: 'revoke_token', fault: { type: 'status', status: 401 } });
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
    await harness.reply('A-2001', /confirmed it after a review/);
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
    await isTold(harness.ana, '/countermand disconnect', 'Only admins and owners');
  });
});
