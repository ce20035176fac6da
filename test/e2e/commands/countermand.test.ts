import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { LIMITS } from '../../../src/slack/blocks/text.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { shownIn } from '../../support/shown.ts';

async function say(harness: Harness, line: string, who = harness.ana) {
  await who.command(line, { channel: '#support' });
  return shownIn(await who.waitForEphemeral());
}

const idOf = async (harness: Harness, order: string) =>
  /request `(\w+)`/.exec(JSON.stringify(await harness.card(order)))?.[1] ?? '';

describe('/countermand', () => {
  test.each(['/countermand', '/countermand help'])(
    '%s explains every command, and the menu of a message',
    async (line) => {
      const text = await say(await startHarness({ connected: false }), line);
      for (const command of ['/cancel-order', '/countermand status', '/countermand connect'])
        expect(text).toContain(command);
      expect(text).toContain('In the menu ⋮ of a message: *Cancel an order*, *Send an offer*');
    },
  );

  test.each(['/countermand dance', '/countermand constructor', '/countermand <!channel>'])(
    '%s gets help',
    async (line) => {
      const text = await say(await startHarness({ connected: false }), line);
      expect(text).toMatch(/^I do not know “/);
      expect(text).toContain('/cancel-order');
      expect(text).not.toContain('<!channel>');
    },
  );

  test('with an endless word gets the whole help', async () => {
    const harness = await startHarness({ connected: false });
    await harness.ana.command(`/countermand ${'&'.repeat(10_000)}`, { channel: '#support' });
    const { text } = await harness.ana.waitForEphemeral();
    expect(text.length).toBeLessThan(LIMITS.messageText);
    expect(text).toContain('/cancel-order');
  });

  test.each(['/countermand', '/countermand help', '/countermand dance'])(
    '%s names no command to a guest, who can use none',
    async (line) => {
      const harness = await startHarness({ connected: false });
      expect(await say(harness, line, harness.slack.person('gina'))).toMatch(/^Guests cannot use[^/]*$/);
    },
  );

  test('explains the commands while Slack does not say who asks', async () => {
    const harness = await startHarness({ connected: false });
    const fault = { type: 'error', code: 'internal_error' } as const;
    harness.slack.faults.schedule({ on: 'users.info', fault, times: 9 });
    expect(await say(harness, '/countermand help')).toContain('/cancel-order');
  });
});

describe('/countermand status', () => {
  test('tells by the id of the request how it stands, with its history and a link', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001', { reason: 'wrong size' });
    await harness.reply('A-2001', /reviewing/);
    const id = await idOf(harness, 'A-2001');
    expect(id).toMatch(/^[a-z0-9]{12}$/);
    const text = await say(harness, `/countermand status ${id.toUpperCase()}`);
    expect(text).toContain('In review');
    expect(text).toContain('\nwrong size\n');
    expect(text).toContain(`Requested by <@${harness.ana.id}>`);
    expect(text).toMatch(/<https:\/\/acme-support[^|]+\|Open the thread>/);
  });

  test('tells it by the id of the order, too', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(await say(harness, '/countermand status A-1001')).toContain('is cancelled');
    // As the help writes it: `status <id>`.
    expect(await say(harness, '/countermand status <A-1001>')).toContain('is cancelled');
  });

  test('lists the requests where an order had several', async () => {
    const harness = await startHarness();
    for (const who of [harness.ana, harness.ben]) {
      harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
      await harness.cancelOrder('A-1001', { who });
      await harness.slack.waitForMessage({ text: new RegExp(`<@${who.id}>: The order service refused`) });
    }
    const text = await say(harness, '/countermand status A-1001');
    expect(text).toMatch(/several requests for A-1001.*\n• `\w+` Cancel order.*Refused.*\n• `\w+` .*Refused/);
    expect(text).not.toContain('Ordered twice');
  });

  test('keeps the reason from those who are not in its channel', async () => {
    const harness = await startHarness();
    const { id } = harness.slack.admin.addChannel({
      team_id: SEED.team,
      name: 'private-desk',
      kind: 'private',
      members: [harness.ana.id, harness.slack.installation().bot_user_id],
    });
    await harness.cancelOrder('A-1001', { channel: '#private-desk', reason: 'confidential' });
    await harness.slack.waitForMessage({ channel: id, text: /is cancelled/ });
    expect(await say(harness, '/countermand status A-1001', harness.ben)).toContain(
      'Only the requester, approvers, admins and members of the channel can read the reason',
    );
    expect(await say(harness, '/countermand status A-1001', harness.olga)).toContain('confidential');
  });

  test('says if there is no such request, and if the command names none', async () => {
    const harness = await startHarness();
    expect(await say(harness, '/countermand status nothing')).toMatch(
      /^No request in this workspace has the id “nothing”/,
    );
    expect(await say(harness, '/countermand status', harness.ben)).toMatch(/^Which request\?/);
  });

  test('tells guests nothing', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    expect(await say(harness, '/countermand status A-1001', harness.slack.person('gina'))).toMatch(
      /^Guests cannot use/,
    );
  });
});
