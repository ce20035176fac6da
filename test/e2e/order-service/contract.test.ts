/** All that the bot says to the order service is as order-service-interface.md shows it. */
import { expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { askFor, KINDS, replyTo } from '../../support/e2e/kinds.ts';
import { startContractProxy } from '../../support/order-service/contract-proxy.ts';

const [, SEND_OFFER, CANCEL_OFFER] = KINDS;

/** A workspace whose order service is reached through the proxy alone. */
async function proxied() {
  const proxy = await startContractProxy();
  const desk = await startDesk({ connected: false, env: { ORDER_SERVICE_URL: proxy.url } });
  proxy.leadTo(desk.service.url);
  return { proxy, desk };
}

async function disconnect({ olga }: Desk) {
  await olga.command('/countermand disconnect', { channel: '#support' });
  await olga.waitForModal(({ callback_id }) => callback_id === 'disconnect');
  await olga.submit();
  await olga.waitForModal(({ view }) => JSON.stringify(view).includes('is disconnected'));
}

async function listSubBrands({ ben }: Desk) {
  await ben.command('/sub-brands', { channel: '#support' });
  await ben.waitForModal(({ view }) => JSON.stringify(view).includes('Acme Home'));
  await ben.closeModal();
}

test('every operation, done and refused, keeps to the interface', async () => {
  const { proxy, desk } = await proxied();
  await desk.connect({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
  await desk.connect({
    revoke_former: ['revoke_former'],
    exclusive: ['exclusive'],
    new_secret: ['new_secret'],
  });
  await listSubBrands(desk);
  await desk.ask('A-1001', { reason: 'Zweimal bestellt: "ä", \\, 😀' });
  await desk.reply('A-1001', /is cancelled/);
  await desk.ask('A-404(ä)#?x');
  await desk.reply('A-404(ä)#?x', /VALIDATION_ERROR/);
  await askFor(desk, SEND_OFFER);
  await replyTo(desk, SEND_OFFER, /is sent/);
  await askFor(desk, CANCEL_OFFER);
  await replyTo(desk, CANCEL_OFFER, /is cancelled/);
  await askFor(desk, CANCEL_OFFER, { target: 'O-3002', who: desk.ben });
  await replyTo(desk, CANCEL_OFFER, /OFFER_CANCELLATION_ERROR/, { target: 'O-3002' });
  await disconnect(desk);

  expect(proxy.violations).toEqual([]);
  expect(proxy.seen).toEqual([
    'get_sub_brands 200',
    'get_sub_brands 200',
    'revoke_token 204',
    'get_sub_brands 200',
    'cancel_order 201',
    'cancel_order 400',
    'send_offer 200',
    'cancel_offer 200',
    'cancel_offer 409',
    'revoke_token 204',
  ]);
});
