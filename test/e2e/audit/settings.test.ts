import { expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { openSettings, savePolicy } from '../../support/e2e/policy-modal.ts';
import { trailOf } from '../../support/storage/audit-trail.ts';

/** The acts on the settings, each with its setting and what that was and is. */
async function settingsTrail(harness: Harness) {
  const { storage } = await harness.terminal();
  const trail = await trailOf(storage);
  return trail.flatMap(({ by, act, setting, from, to, request }) =>
    request || act === 'connected' ? [] : [[by, act, ...(setting ? [setting, from, to] : [])]],
  );
}

const OLGA = [SEED.users.olga];

test('the audit trail has each setting that an admin changed, from what to what', async () => {
  const harness = await startHarness();
  const { olga } = harness;
  await openSettings(harness);
  await olga.submit({ order_id_pattern: 'A-####', reasons: 'Too late\nToo dear' });
  await openSettings(harness);
  await olga.submit({ order_id_pattern: 'B-####' });
  const policy = { approvers: 'people', approver_people: [SEED.users.cara, SEED.users.dev] };
  await savePolicy(harness, policy);
  const people = { type: 'people', people: policy.approver_people };
  expect(await settingsTrail(harness)).toEqual([
    [OLGA, 'changed_setting', 'orderIdPattern', null, 'A-####'],
    [OLGA, 'changed_setting', 'reasons', null, ['Too late', 'Too dear']],
    [OLGA, 'changed_setting', 'orderIdPattern', 'A-####', 'B-####'],
    [
      OLGA,
      'changed_setting',
      'policy of cancel_order',
      null,
      expect.objectContaining({ approvers: people, setBy: SEED.users.olga }),
    ],
  ]);
});

test('whoever takes over a policy by saving it unchanged is in the audit trail, and the notifications channel hears it', async () => {
  const harness = await startHarness();
  const { settings } = await harness.terminal();
  await savePolicy(harness, { approvers: 'people', approver_people: [SEED.users.cara, SEED.users.dev] });
  const policy = (await settings.read(SEED.team)).policies?.cancel_order;
  if (!policy) throw new Error('There is no policy.');
  const former = { ...policy, setBy: SEED.users.cara };
  const notificationsChannel = SEED.channels.support;
  await settings.change(SEED.team, { policies: { cancel_order: former }, notificationsChannel });
  await savePolicy(harness, {});
  const taken = [OLGA, 'changed_setting', 'policy of cancel_order', former, policy];
  expect((await settingsTrail(harness)).slice(1)).toEqual([taken]);
  const { text } = await harness.slack.waitForMessage({ channel: '#support', text: 'changed the settings' });
  expect(text).toContain('• Cancel an order: Olga Orlova is told from now on if nobody can approve');
});

test('the audit trail has nothing of a form that was refused, and of one that changed nothing', async () => {
  const harness = await startHarness();
  const { olga } = harness;
  await openSettings(harness);
  await olga.submit();
  await olga.waitForModal({ text: 'Nothing was changed' });
  await olga.closeModal();
  await openSettings(harness);
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { orderIdPattern: 'A-####' });
  expect((await olga.submit({ order_id_pattern: 'B-####' })).outcome).toBe('errors');
  expect(await settingsTrail(harness)).toEqual([]);
});

test('the audit trail has who paused and who resumed sending, once however often it was pressed', async () => {
  const harness = await startHarness();
  const { olga } = harness;
  for (const [button, answer] of [
    ['Pause sending', 'Sending is paused.'],
    ['Resume sending', 'Sending is resumed.'],
  ] as const) {
    await openSettings(harness);
    await Promise.all([olga.click(button), olga.click(button)]);
    await olga.waitForModal({ text: answer });
    await olga.closeModal({ all: true });
  }
  expect(await settingsTrail(harness)).toEqual([
    [OLGA, 'paused'],
    [OLGA, 'resumed'],
  ]);
});
