import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openSettings, savePolicy, saveSettings } from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';
import { callerFrom } from '../../support/isolation/caller.ts';
import { settingsValues } from '../../support/isolation/form-values.ts';

describe('/countermand settings', () => {
  test('sets the reasons that agents choose from', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.submit({ reasons: 'Too late\n\n\u200f\n  Too dear  \nToo late' });
    await harness.ana.command('/cancel-order A-1001', { channel: '#support' });
    await harness.ana.waitForModal({ text: 'Too dear' });
    await harness.ana.submit({ reason_choice: 'Too dear' });
    await harness.reply('A-1001', /is cancelled/);
    expect((await openSettings(harness)).values['reasons']).toBe('Too late\nToo dear');
  });

  test('says so where nothing was changed, and where another admin was faster', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.submit();
    await harness.olga.waitForModal({ text: 'Nothing was changed' });
    await harness.olga.closeModal();
    await openSettings(harness);
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { orderIdPattern: 'A-####' });
    const { errors } = await harness.olga.submit({ order_id_pattern: 'B-####' });
    expect(errors).toEqual({
      order_id_pattern:
        'The settings have changed since you opened them, so nothing was saved. Close them and open them again.',
    });
    expect((await settings.read(SEED.team)).orderIdPattern).toBe('A-####');
  });

  test('says of what a first submission has saved that it was already like this', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    const { settings } = await harness.terminal();
    // Slack may show an error for a submission that was saved, if the answer comes late.
    await settings.change(SEED.team, { orderIdPattern: 'A-####' });
    await harness.olga.submit({ order_id_pattern: 'A-####' });
    await harness.olga.waitForModal({ text: 'the settings in this form were already like this' });
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

  test('sets who may request, and keeps it when other things are set', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    await harness.olga.search('requesters', 'agents');
    await harness.olga.submit({ requesters: SEED.groups.agents });
    await openSettings(harness);
    await harness.olga.submit({ order_id_pattern: 'A-####' });
    const refusal = `Only members of <!subteam^${SEED.groups.agents}> can make requests here.`;
    await isTold(harness.slack.person('dev'), '/cancel-order A-1001 x', refusal);
    expect((await openSettings(harness)).values['requesters']).toBe(SEED.groups.agents);
  });

  test('says at its field that the user group who may request cannot be read, and saves nothing', async () => {
    const harness = await startHarness();
    const where = { team: SEED.team, channel: SEED.channels.support };
    const olga = callerFrom(harness, where as never, SEED.users.olga);
    const group = 'S1> <!channel> <https://evil.example|Connect again';
    const answer = await olga.submit('settings', { metadata: '{}', values: settingsValues({ group }) });
    expect(answer).toContain(
      '{"requesters":"This user group is gone or cannot be read. Choose another one."}',
    );
    expect((await openSettings(harness)).values['requesters'] ?? null).toBeNull();
  });

  test('sets where ids link to: on cards, in the status, the history and Home', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    const { errors } = await harness.olga.submit({ order_address: 'http://shop.example.com/orders/{id}' });
    expect(errors).toEqual({ order_address: 'The address must begin with https://.' });
    await harness.olga.submit({ order_address: 'https://shop.example.com/orders/{id}' });
    await harness.ana.command('/cancel-order A-1001 Too late', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.submit();
    await harness.reply('A-1001', /is cancelled/);
    const link = '<https://shop.example.com/orders/A-1001|';
    expect(JSON.stringify(await harness.card('A-1001'))).toContain(`${link}Look at order A-1001>`);
    await isTold(harness.ana, '/countermand status A-1001', `${link}A-1001>`);
    await harness.ana.command('/countermand history', { channel: '#support' });
    await harness.ana.waitForModal(({ title }) => title === 'Requests');
    await harness.ana.fill({ history_group: 'canceled' });
    await harness.ana.waitForModal({ text: `${link}A-1001>` });
    harness.ana.openHome();
    await harness.ana.waitForHome(({ view }) => JSON.stringify(view).includes(`${link}A-1001>`));
  });

  test('says what is in force now, and tells the notifications channel who changed what, notifying nobody', async () => {
    const harness = await startHarness();
    const { olga, slack } = harness;
    const { cara, dev } = SEED.users;
    const news = slack.admin.addChannel({
      team_id: SEED.team,
      name: 'order-news',
      kind: 'public',
      members: [olga.id, cara, dev, slack.installation().bot_user_id],
    });
    const saved = await saveSettings(harness, { notifications: news.id, requesters: SEED.groups.agents });
    const { text } = await slack.waitForMessage({ channel: '#order-news', text: 'changed the settings' });
    expect(saved.outcome).toBe('updated');
    expect(text).toMatch(new RegExp(`^:gear: \\*<@${olga.id}> changed the settings\\*`));
    expect(text).toContain('• Who may request: all full members → the group Support agents');
    expect(text).toContain(`• Notifications channel: none → <#${news.id}>`);
    await savePolicy(harness, { approvers: 'people', approver_people: [cara, dev], quorum: '2' });
    const change = await slack.waitForMessage({ channel: '#order-news', text: 'needs 2 approvals' });
    expect(change.text).toContain(
      '• Cancel an order: needs no approval → needs 2 approvals by Cara Conti and Dev Das (',
    );
    for (const told of [JSON.stringify(change), JSON.stringify(text)])
      for (const notifying of [`<@${cara}`, `<@${dev}`, '<!subteam', `"${cara}"`])
        expect(told).not.toContain(notifying);
    olga.openHome();
    await olga.waitForHome(({ view }) =>
      JSON.stringify(view).includes(
        'changed the settings. Cancel an order: needs no approval → needs 2 approvals',
      ),
    );
  });

  test('tells the channel that was the notifications channel until then, too', async () => {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { notificationsChannel: SEED.channels.support });
    await saveSettings(harness, { notifications: SEED.channels.approvals });
    const line = `Notifications channel: <#${SEED.channels.support}> → <#${SEED.channels.approvals}>`;
    for (const channel of ['#support', '#approvals'])
      await harness.slack.waitForMessage({ channel, text: line });
  });

  test('shows which ids the pattern finds in a text, before it is saved', async () => {
    const harness = await startHarness();
    const { olga } = harness;
    await openSettings(harness);
    await olga.fill({ order_id_pattern: 'A-####', sample: 'My orders a-1001 and <A-1002>, not B-7.' });
    const reads = (text: string) =>
      olga.waitForModal(({ view }) => JSON.stringify(view.blocks).includes(text));
    await olga.click('Try it: the pattern of order ids');
    const { values } = await reads('I find in this text: *A-1001* and *A-1002*.');
    expect(values).toMatchObject({ order_id_pattern: 'A-####' });
    await olga.fill({
      order_id_pattern: 'B-#',
      order_address: 'https://shop.example.com/o/{id}',
      sample: '*B-7* https://shop.example.com/o/9',
    });
    await olga.click('Try it: the pattern of order ids');
    await reads('I find in this text: *9* and *B-7*.');
    await olga.fill({ sample: 'Hello <!channel>' });
    await olga.click('Try it: the pattern of order ids');
    const { view } = await reads('I find no order id in this text.');
    expect(JSON.stringify(view.blocks).match(/I find/g)).toHaveLength(1);
    expect((await olga.submit()).outcome).toBe('updated');
    const { settings } = await harness.terminal();
    expect(await settings.read(SEED.team)).toEqual({
      orderIdPattern: 'B-#',
      orderAddress: 'https://shop.example.com/o/{id}',
    });
  });

  test('shows what was tried last of two quick clicks', async () => {
    const harness = await startHarness();
    const { olga, slack } = harness;
    await openSettings(harness);
    const first = slack.faults.schedule({ on: 'views.update', fault: { type: 'hold', when: 'before' } });
    for (const sample of ['My order A-1001', 'My order A-1002']) {
      await olga.fill({ order_id_pattern: 'A-####', sample });
      await olga.click('Try it: the pattern of order ids');
      await first.reached;
    }
    first.release();
    await olga.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('*A-1002*'));
  });

  test('leaves alone what was saved before it could show what a pattern finds', async () => {
    const harness = await startHarness();
    const { olga, slack, journal } = harness;
    await openSettings(harness);
    await olga.fill({ order_id_pattern: 'A-####', sample: 'My order A-1001' });
    const late = slack.faults.schedule({ on: 'views.update', fault: { type: 'hold', when: 'late' } });
    await olga.click('Try it: the pattern of order ids');
    await late.reached;
    await olga.submit();
    await olga.waitForModal({ text: 'Saved. In force now:' });
    late.release();
    await expect.poll(() => journal.entries({ name: 'views.update' })).toHaveLength(1);
    await olga.waitForModal({ text: 'Saved. In force now:' });
  });

  test('says what is wrong with a pattern that is tried', async () => {
    const harness = await startHarness();
    const { olga } = harness;
    await openSettings(harness);
    await olga.fill({ order_id_pattern: 'A-####, B-####', sample: 'My order A-1001' });
    await olga.click('Try it: the pattern of order ids');
    await olga.waitForModal(({ view }) => JSON.stringify(view.blocks).includes('Write one pattern'));
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
    await isTold(harness.ana, '/countermand settings', 'Only admins and owners');
  });
});
