import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { shownIn } from '../../support/e2e/shown.ts';

async function say(desk: Desk, line: string, who = desk.ana) {
  await who.command(line, { channel: '#support' });
  return shownIn(await who.waitForEphemeral());
}

const idOf = async (desk: Desk, order: string) =>
  /request `(\w+)`/.exec(JSON.stringify(await desk.card(order)))?.[1] ?? '';

describe('/countermand', () => {
  test.each(['/countermand', '/countermand help'])('%s explains every command', async (line) => {
    const text = await say(await startDesk({ connected: false }), line);
    for (const command of ['/cancel-order', '/countermand status', '/countermand connect'])
      expect(text).toContain(command);
  });

  test.each(['/countermand dance', '/countermand constructor', '/countermand <!channel>'])(
    '%s gets help',
    async (line) => {
      const text = await say(await startDesk({ connected: false }), line);
      expect(text).toMatch(/^I do not know “/);
      expect(text).toContain('/cancel-order');
      expect(text).not.toContain('<!channel>');
    },
  );
});

describe('/countermand status', () => {
  test('tells by the id of the request how it stands, with its history and a link', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001', { reason: 'wrong size' });
    await desk.reply('A-2001', /reviewing/);
    const id = await idOf(desk, 'A-2001');
    expect(id).toMatch(/^[a-z0-9]{12}$/);
    const text = await say(desk, `/countermand status ${id.toUpperCase()}`);
    expect(text).toContain('In review');
    expect(text).toContain('\nwrong size\n');
    expect(text).toContain(`Requested by <@${desk.ana.id}>`);
    expect(text).toMatch(/<https:\/\/acme-support[^|]+\|Open the thread>/);
  });

  test('tells it by the id of the order, too', async () => {
    const desk = await startDesk();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    expect(await say(desk, '/countermand status A-1001')).toContain('is cancelled');
  });

  test('lists the requests where an order had several', async () => {
    const desk = await startDesk();
    for (const who of [desk.ana, desk.ben]) {
      desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 400 } });
      await desk.ask('A-1001', { who });
      await desk.slack.waitForMessage({ text: new RegExp(`<@${who.id}>: The order service refused`) });
    }
    const text = await say(desk, '/countermand status A-1001');
    expect(text).toMatch(/several requests for A-1001.*\n• `\w+` Cancel order.*Refused.*\n• `\w+` .*Refused/);
    expect(text).not.toContain('Ordered twice');
  });

  test('keeps the reason from those who are not in its channel', async () => {
    const desk = await startDesk();
    const { id } = desk.slack.admin.addChannel({
      team_id: SEED.team,
      name: 'private-desk',
      kind: 'private',
      members: [desk.ana.id, desk.slack.installation().bot_user_id],
    });
    await desk.ask('A-1001', { channel: '#private-desk', reason: 'confidential' });
    await desk.slack.waitForMessage({ channel: id, text: /is cancelled/ });
    expect(await say(desk, '/countermand status A-1001', desk.ben)).toContain(
      'Only the requester, approvers, admins and members of the channel can read the reason',
    );
    expect(await say(desk, '/countermand status A-1001', desk.olga)).toContain('confidential');
  });

  test('says so where there is none, and where none was named', async () => {
    const desk = await startDesk();
    expect(await say(desk, '/countermand status nothing')).toMatch(/^There is no request “nothing”/);
    expect(await say(desk, '/countermand status', desk.ben)).toMatch(/^Which request\?/);
  });

  test('tells guests nothing', async () => {
    const desk = await startDesk();
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
    expect(await say(desk, '/countermand status A-1001', desk.slack.person('gina'))).toMatch(
      /^Guests cannot use/,
    );
  });
});
