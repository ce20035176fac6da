/** The page of an agent in the Home tab of the app, and those who get none. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startApprovals } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { opens, press, shows } from '../../support/e2e/home-page.ts';
import { killTokens } from '../../support/e2e/refused-token.ts';
import { callerFrom } from '../../support/isolation/caller.ts';
import { eventually } from '../../support/time/eventually.ts';

describe('an agent', () => {
  test('finds no requests at first, and then their own with its state and its thread', async () => {
    const { ana, ben, cancelOrder, reply } = await startHarness();
    const empty = await opens(ana, 'There are no requests of yours here.');
    expect(empty.text).toContain('No request waits for your decision.');
    expect(empty.text).toContain('As of ');
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const home = await opens(
      ana,
      /\*Cancel order A-1001\* · :white_check_mark: Cancelled .* · Open the thread/,
    );
    expect(home.text).not.toContain('For admins'.toUpperCase());
    expect((await opens(ben, 'There are no requests of yours here.')).text).not.toContain('A-1001');
  });

  test('reads first that sending is paused', async () => {
    const { ana, olga, terminal } = await startHarness();
    await (await terminal()).settings.pause(SEED.team, { by: olga.id });
    const { text } = await opens(ana, /^:warning: \*@Olga .+ paused sending/);
    expect(text).toContain(
      'No request is sent to the order service until an admin resumes it in the settings.',
    );
  });

  test('reads first that the workspace is not connected, or its token refused', async () => {
    const { ana } = await startHarness({ connected: false });
    await opens(ana, /^:warning: This workspace is not connected to the order service/);
    const harness = await startHarness();
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /./);
    await opens(harness.ana, /^:warning: The order service no longer accepts this workspace's token/);
  });

  test('reads of a lost answer what to do with the button there', async () => {
    const { ana, service, cancelOrder, reply } = await startHarness();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /in `\/countermand history /);
    const { text } = await opens(ana, 'and record the outcome here.');
    expect(text).toContain('The connection to the order service was lost before it answered.');
    expect(text).toContain('[Record the outcome]');
    expect(text).not.toContain('/countermand history');
  });

  test('requests something on the page, which then shows it', async () => {
    const { ana } = await startHarness();
    await opens(ana, 'There are no requests of yours here.');
    await ana.click('Cancel an order', 'home');
    await ana.waitForModal();
    const request = { target: 'A-1001', reason_choice: 'Ordered twice', channel: SEED.channels.support };
    expect((await ana.submit(request)).outcome).toBe('closed');
    await shows(ana, 'Cancel order A-1001');
  });

  test('finds an unknown outcome first, and records it there', async () => {
    const harness = await startHarness();
    const { ana, service, cancelOrder, reply } = harness;
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(ana, /A-2001\* · :grey_question: Outcome unknown/);
    expect(text.indexOf('A-2001')).toBeLessThan(text.indexOf('A-1001'));
    await press(ana, 'A-2001', 'record_outcome');
    await ana.waitForModal({ callback: 'record_outcome' });
    expect((await ana.submit({ outcome: 'approved' })).outcome).toBe('closed');
    await shows(ana, /A-2001\* · :white_check_mark: Cancelled · recorded by @Ana/);
  });

  test('withdraws a request there, and chooses which ones are shown', async () => {
    const { ana, cancelOrder, card } = await startApprovals();
    await cancelOrder('A-1001');
    await card('A-1001');
    await cancelOrder('A-1002');
    await card('A-1002');
    await opens(ana, 'A-1002');
    await press(ana, 'A-1001', 'withdraw');
    await shows(ana, /A-1001\* · :leftwards_arrow_with_hook: Withdrawn/);
    await ana.fill({ home_group: 'ended' }, 'home');
    expect((await shows(ana, /^(?!.*A-1002)/s)).text).toContain('A-1001');
    await ana.fill({ home_kind: 'send_offer' }, 'home');
    await shows(ana, 'No requests of yours match.');
    await ana.fill({ home_kind: 'any' }, 'home');
    await shows(ana, 'A-1001');
    await ana.fill({ home_group: 'any' }, 'home');
    await shows(ana, 'A-1002');
  });
});

test('what an agent has chosen on the page stays there after a form that they opened on it', async () => {
  const { ana, cancelOrder, reply } = await startHarness();
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  await opens(ana, 'A-1001');
  await ana.fill({ home_group: 'open' }, 'home');
  await shows(ana, 'No requests of yours match.');
  const before = ana.home()?.view.hash;
  await ana.click('Cancel an order', 'home');
  await ana.waitForModal();
  await ana.submit({ target: 'A-1002', reason_choice: 'Ordered twice', channel: SEED.channels.support });
  const { text } = await ana.waitForHome(({ view }) => view.hash !== before);
  expect(text).not.toContain('A-1001');
});

describe('nothing of it', () => {
  test('is shown to a guest, who reads why', async () => {
    const { slack, cancelOrder, reply } = await startHarness();
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(slack.person('gina'), /\S/);
    expect(text).toMatch(/^Guests/);
    expect(text).not.toContain('A-1001');
  });

  test('is shown to somebody of another company, who reads why', async () => {
    const harness = await startHarness();
    const { slack } = harness;
    const side = { team: SEED.team, channel: SEED.channels.partners };
    const { gus } = SEED.users;
    const opened = {
      type: 'app_home_opened',
      user: gus,
      channel: 'D1',
      tab: 'home',
      event_ts: '1700000000.000100',
    };
    await callerFrom(harness, side, gus).event(opened);
    const page = () => slack.world.homes.get(`${SEED.team} ${gus}`)?.definition.blocks;
    await eventually(() => expect(page()).toHaveLength(1));
    expect(JSON.stringify(page())).toContain(
      'Countermand belongs to another workspace here, and only members of that workspace can use it.',
    );
  });

  test('is said where Slack refuses the page: the log says it, and the next one is drawn', async () => {
    const { slack, ana, logged } = await startHarness();
    slack.faults.schedule({ on: 'views.publish', fault: { type: 'status', status: 500 } });
    ana.openHome();
    await eventually(() => expect(logged.text()).toContain('home page not published'));
    expect([ana.home(), ana.directMessages(), ana.ephemerals()]).toEqual([undefined, [], []]);
    await opens(ana, 'YOUR REQUESTS');
  });
});
