/** The page of an admin in the Home tab of the app. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { setPolicy } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { opens, shows } from '../../support/e2e/home-page.ts';
import { killTokens } from '../../support/e2e/refused-token.ts';

describe('an admin', () => {
  test('sees first that the token was revoked', async () => {
    const harness = await startHarness();
    const { olga, cancelOrder, reply } = harness;
    killTokens(harness);
    await cancelOrder('A-1001');
    await reply('A-1001', /./);
    const { text } = await opens(olga, 'does not accept this workspace');
    expect(text.split('\n')[0]).toContain("The order service does not accept this workspace's API token");
    expect(text).toContain('[Connect again] [Try the token again]');
    await olga.click('Connect again', 'home');
    await olga.waitForModal({ callback: 'connect' });
    await olga.submit({ token: harness.service.issueToken() });
    await shows(olga, /^(?!.*does not accept this workspace)/s);
  });

  test('tries a token again there, and sees that it is accepted', async () => {
    const { olga, service, cancelOrder, reply } = await startHarness();
    const fault = { type: 'status', status: 401, body: { code: 'UNAUTHORIZED', message: 'No' } } as const;
    service.faults.schedule({ on: 'cancel_order', fault });
    await cancelOrder('A-1001');
    await reply('A-1001', /refused this workspace's token/);
    await opens(olga, 'does not accept this workspace');
    await olga.click('Try the token again', 'home');
    await olga.waitForModal({ text: 'did not refuse the token when it was checked last' });
    await shows(olga, /^(?!.*does not accept this workspace)/s);
  });

  test('pauses sending in the settings opened there, and sees that and what they save after it', async () => {
    const { olga } = await startHarness();
    await opens(olga, 'FOR ADMINS');
    await olga.click('Change the settings', 'home');
    await olga.waitForModal({ callback: 'settings' });
    await olga.click('Pause sending');
    await shows(olga, 'paused sending');
    await olga.waitForModal({ text: 'Sending is paused.' });
    await olga.closeModal();
    await olga.waitForModal({ callback: 'settings' });
    await olga.submit({ notifications: SEED.channels.support });
    await shows(olga, /Notifications channel: #support/);
  });

  test('sees what is in force, who is stuck and why, and the latest acts', async () => {
    const harness = await startHarness();
    const { olga, service, cancelOrder, reply } = harness;
    await setPolicy(harness, {}, 'send_offer');
    const { text } = await opens(olga, 'FOR ADMINS');
    expect(text).toContain('Send an offer: needs 1 approval by @approvers');
    expect(text).toContain('*Stuck requests*\nNone.');
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    const stuck = await opens(
      olga,
      /\*Cancel order A-2001\* · :grey_question: Outcome unknown · @Ana Alvarez/,
    );
    expect(stuck.text).toContain('@Ana Alvarez requested “Cancel order A-2001”');
  });

  test('closes a stuck request there, and reads that none is left', async () => {
    const { olga, service, cancelOrder, reply } = await startHarness();
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    service.events.pause();
    await cancelOrder('A-2001');
    await reply('A-2001', /may or may not/);
    const { text, view } = await opens(olga, /A-2001\* · :grey_question: Outcome unknown/);
    expect(text).toContain('and record the outcome here.');
    const row = view.blocks.find((block) => JSON.stringify(block).includes('history_menu'));
    await olga.click(`${row?.block_id}/history_menu`, 'home', { option: 'Record the outcome' });
    await olga.waitForModal({ callback: 'record_outcome' });
    expect((await olga.submit({ outcome: 'release' })).outcome).toBe('closed');
    await reply('A-2001', /closed this request without an outcome/);
    await shows(olga, '*Stuck requests*\nNone.');
  });

  test('sees that scopes are missing, which limits pause, and that sending is paused', async () => {
    const { slack, olga, ana, cancelOrder, reply } = await startHarness();
    slack.installation().scopes = slack.installation().scopes.filter((scope) => scope !== 'reactions:read');
    slack.faults.schedule({ on: 'chat.update', fault: { type: 'rate_limit', retryAfterSeconds: 900 } });
    await cancelOrder('A-1001');
    await reply('A-1001', /is cancelled/);
    const { text } = await opens(olga, 'reactions:read');
    expect(text).toMatch(/Slack has not granted everything that I need\.\*? Missing: `?reactions:read`?\./);
    expect(text).toMatch(/Slack \(`?chat.update`?\) asked me to slow down: I continue in 15 minutes\./);
    await olga.command('/countermand settings', { channel: '#support' });
    await olga.waitForModal({ callback: 'settings' });
    await olga.click('Pause sending');
    const paused = await opens(olga, 'paused sending');
    expect(paused.text.split('until an admin resumes it')).toHaveLength(2);
    expect((await opens(ana, 'YOUR REQUESTS')).text).not.toContain('asked me to slow down');
  });
});
