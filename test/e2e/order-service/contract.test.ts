/** All that the bot says to the order service is as order-service-interface.md shows it. */
import { expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { kindOf, replyTo, submitRequest } from '../../support/e2e/kinds.ts';
import { startContractProxy } from '../../support/order-service/contract-proxy.ts';

const SEND_OFFER = kindOf('send_offer');
const CANCEL_OFFER = kindOf('cancel_offer');

/** A workspace whose order service is reached through the proxy alone. */
async function proxied() {
  const proxy = await startContractProxy();
  const harness = await startHarness({ connected: false, env: { ORDER_SERVICE_URL: proxy.url } });
  proxy.leadTo(harness.service.url);
  return { proxy, harness };
}

async function disconnect({ olga }: Harness) {
  await olga.command('/countermand disconnect', { channel: '#support' });
  await olga.waitForModal({ callback: 'disconnect' });
  await olga.submit();
  await olga.waitForModal({ text: 'is disconnected' });
}

async function listSubBrands({ ben }: Harness) {
  await ben.command('/sub-brands', { channel: '#support' });
  await ben.waitForModal({ text: 'Acme Home' });
  await ben.closeModal();
}

test('every operation, done and refused, keeps to the interface', async () => {
  const { proxy, harness } = await proxied();
  await harness.connect({ token: SEED_TOKENS.acme.graphql, token_kind: 'graphql' });
  await harness.connect({
    revoke_former: ['revoke_former'],
    exclusive: ['exclusive'],
    events_secret: 'replace',
  });
  await listSubBrands(harness);
  await harness.cancelOrder('A-1001', { reason: 'Zweimal bestellt: "ä", \\, 😀' });
  await harness.reply('A-1001', /is cancelled/);
  await harness.cancelOrder('A-404(ä)#?x');
  await harness.ana.waitForDirectMessage(({ text }) => /A-404\(ä\)#\?x.*VALIDATION_ERROR/s.test(text));
  await submitRequest(harness, SEND_OFFER);
  await replyTo(harness, SEND_OFFER, /is sent/);
  await submitRequest(harness, CANCEL_OFFER);
  await replyTo(harness, CANCEL_OFFER, /is cancelled/);
  await submitRequest(harness, CANCEL_OFFER, { target: 'O-3002', who: harness.ben });
  await replyTo(harness, CANCEL_OFFER, /OFFER_CANCELLATION_ERROR/, { target: 'O-3002' });
  await disconnect(harness);

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
