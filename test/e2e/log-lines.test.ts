/** Lines of the log can be followed: one request by its id, whoever it was that did something for it. */
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../support/e2e/harness.ts';
import { savePolicy, saveSettings } from '../support/e2e/policy-modal.ts';
import { needsStorage, STORAGES } from '../support/e2e/storage.ts';

type Line = Record<string, unknown> & { msg: string };

const lines = ({ logged }: Harness): Line[] =>
  logged
    .text()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const REQUEST = /^[b-df-hj-np-tv-xz2-9]{12}$/;

describe.each(STORAGES)('with %s', (storage) => {
  needsStorage(storage);

  test('all that is done for a request is found by its id, and so is the event that was applied to it', async () => {
    const harness = await startHarness({ storage });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /is reviewing it/);
    await harness.service.approve('A-2001').settled;
    await harness.reply('A-2001', /is cancelled/);
    await expect.poll(() => lines(harness).filter(({ msg }) => msg === 'event received')).not.toEqual([]);

    const terminal = await harness.terminal();
    const [record] = await terminal.storage.requests.list(SEED.team, { limit: 1 });
    const about = { request: record?.id, workspace: SEED.team, target: 'A-2001' };
    const done = lines(harness).filter(({ msg }) => msg === 'effect performed');
    expect(done.map(({ effect }) => effect)).toContain('call');
    for (const line of done)
      expect(line).toMatchObject({
        ...about,
        user: SEED.users.ana,
        result: expect.any(String),
        ms: expect.any(Number),
      });
    const received = lines(harness).filter(({ msg }) => msg === 'event received');
    expect(received).toContainEqual(
      expect.objectContaining({ ...about, result: 'applied', ms: expect.any(Number) }),
    );
  });
});

test('a call that failed is one line, with what the order service said', async () => {
  const harness = await startHarness();
  const body = { code: 'ORDER_LOCKED', message: 'Locked by the warehouse' };
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409, body } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /refused/);
  const told = lines(harness).filter((line) => JSON.stringify(line).includes('Locked by the warehouse'));
  expect(told).toMatchObject([
    {
      level: 40,
      msg: 'effect performed',
      effect: 'call',
      result: 'refused',
      err: { code: 'ORDER_LOCKED' },
    },
  ]);
});

test('who connects, disconnects and changes settings is in the log, with what it was before', async () => {
  const harness = await startHarness({ connected: false });
  const { olga } = harness;
  const { secret } = await harness.connect();
  await saveSettings(harness, { order_id_pattern: 'A-####' });
  await saveSettings(harness, { order_id_pattern: 'B-####' });
  await savePolicy(harness, { approvers: 'people', approver_people: [SEED.users.cara, SEED.users.dev] });
  await olga.closeModal({ all: true });
  await olga.command('/countermand disconnect', { channel: '#support' });
  await olga.waitForModal({ callback: 'disconnect' });
  await olga.submit();
  await expect.poll(() => lines(harness).map(({ msg }) => msg)).toContain('workspace disconnected');

  const by = { workspace: SEED.team, user: SEED.users.olga };
  const token = { tokenKind: 'rest', exclusive: false };
  const changes = /^workspace (?:dis)?connected$|^settings changed$/;
  expect(lines(harness).filter(({ msg }) => changes.test(msg))).toMatchObject([
    { ...by, msg: 'workspace connected', from: null, to: { ...token, newToken: true, newSecret: true } },
    { ...by, changed: { orderIdPattern: { from: null, to: 'A-####' } } },
    { ...by, changed: { orderIdPattern: { from: 'A-####', to: 'B-####' } } },
    { ...by, changed: { 'policy of cancel_order': { from: null, to: { quorum: 1 } } } },
    { ...by, from: { ...token, connectedBy: SEED.users.olga }, revocation: 'kept' },
  ]);
  for (const hidden of [secret, SEED_TOKENS.acme.rest]) expect(harness.logged.text()).not.toContain(hidden);
});

test('one name means one thing in every line', async () => {
  const harness = await startHarness();
  harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code: 'internal_error' } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  for (const line of lines(harness)) {
    if ('request' in line) expect(line.request).toMatch(REQUEST);
    if ('workspace' in line) expect(line.workspace).toMatch(/^T/);
    if ('user' in line) expect(line.user).toMatch(/^[UW]/);
  }
  expect(lines(harness)).toContainEqual(
    expect.objectContaining({
      msg: 'slack call failed',
      request: expect.stringMatching(REQUEST),
      effect: 'post',
    }),
  );
});
