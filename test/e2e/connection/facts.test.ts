/** What an admin sees of the connection there is, and what becomes of its token when they connect another one. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { hears, killTokens, REST } from '../../support/e2e/refused-token.ts';

/** What the form says of the connection, as soon as it says this. */
async function facts(desk: Desk, text: RegExp) {
  const read = async () => {
    const { view } = await desk.openConnect();
    await desk.olga.closeModal();
    return JSON.stringify(view.blocks[0]);
  };
  await expect.poll(read).toMatch(text);
  return read();
}

describe('an admin who runs /countermand connect again', () => {
  test('sees who connected it and when, and that nothing has come since', async () => {
    const desk = await startDesk();
    const said = await facts(desk, /Connected by <@U0OLGA0001>, <!date\^\d+\^/);
    expect(said).toContain('No call with this token has been answered since then. No event has arrived.');
    expect(said).toContain('One events secret is valid.');
    expect(said).not.toContain('has not accepted');
  });

  test('sees when it last answered, and when its last event came', async () => {
    const desk = await startDesk();
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    desk.service.approve('A-2001');
    await desk.reply('A-2001', /approved/);
    await facts(
      desk,
      /order service last accepted this token <!date\^\d+\^\{ago\}.*last event arrived <!date\^\d+\^\{ago\}/,
    );
  });

  test('sees how many secrets are live', async () => {
    const desk = await startDesk();
    await desk.connect({ new_secret: ['new_secret'] });
    await facts(desk, /2 events secrets are valid/);
  });

  test('sees that the token is refused, and nothing of that once another one is connected', async () => {
    const desk = await startDesk();
    killTokens(desk);
    await desk.ask('A-1001');
    await hears(desk, 'olga');
    await facts(desk, /has not accepted this token since <!date\^\d+\^.*connect another one/);
    await desk.connect({ token: desk.service.issueToken(), new_secret: ['new_secret'] });
    expect(await facts(desk, /Connected by/)).not.toContain('has not accepted');
  });

  test('sees nothing of that the first time', async () => {
    const desk = await startDesk({ connected: false });
    const { view, values } = await desk.openConnect();
    expect(JSON.stringify(view)).not.toMatch(/Connected by|former token/);
    expect(values).not.toHaveProperty('revoke_former');
  });

  test('never sees the token', async () => {
    const desk = await startDesk();
    const { view } = await desk.openConnect();
    expect(JSON.stringify(view)).not.toContain(REST);
  });
});

describe('the former token', () => {
  async function again(more: { exclusive?: boolean } = {}) {
    const desk = await startDesk({ connected: false });
    await desk.connect(more.exclusive ? { exclusive: ['exclusive'] } : {});
    const { values } = await desk.openConnect();
    const next = desk.service.issueToken();
    const submit = (fields: Parameters<typeof desk.olga.submit>[0] = {}) =>
      desk.olga.submit({ token: next, ...fields });
    const seen = (text: string) => desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes(text));
    const revocations = () => desk.service.calls({ operation: 'revoke_token' }).length;
    return { ...desk, values, submit, seen, revocations };
  }

  test('is revoked where the admin ticks it, and agents go on with the new one', async () => {
    const desk = await again();
    expect(desk.values['revoke_former']).toEqual([]);
    await desk.submit({ revoke_former: ['revoke_former'] });
    await desk.seen('The former token was revoked at the order service.');
    await desk.olga.closeModal();
    expect(desk.service.organization().tokens.map(({ token }) => token)).not.toContain(REST);
    await desk.ask('A-1001');
    await desk.reply('A-1001', /is cancelled/);
  });

  test('is left alone where they do not', async () => {
    const desk = await again();
    await desk.submit();
    const { view } = await desk.seen('is connected');
    expect(JSON.stringify(view)).not.toContain('former token');
    expect(desk.revocations()).toBe(0);
  });

  test('that is used by Countermand alone is to be revoked, unless they untick it', async () => {
    const desk = await again({ exclusive: true });
    expect(desk.values['revoke_former']).toEqual(['revoke_former']);
    await desk.submit();
    await desk.seen('The former token was revoked');
  });

  test('keeps its choice when the new one has to be pasted again', async () => {
    const desk = await again();
    await desk.submit({ token: 'no-such-token', revoke_former: ['revoke_former'] });
    const { values } = await desk.seen('does not accept this token');
    expect(values['revoke_former']).toEqual(['revoke_former']);
    expect(desk.revocations()).toBe(0);
  });

  test('that is connected again is not revoked', async () => {
    const desk = await again();
    await desk.submit({ token: REST, revoke_former: ['revoke_former'] });
    await desk.seen('is the same as the new one');
    expect(desk.revocations()).toBe(0);
  });

  test('is not revoked where another workspace holds it', async () => {
    const desk = await again();
    const { connect } = await desk.terminal();
    const other = { workspace: SEED.otherTeam, token: REST, tokenKind: 'rest' as const };
    await connect({ ...other, exclusive: true, newSecret: false, by: 'terminal' });
    await desk.submit({ revoke_former: ['revoke_former'] });
    await desk.seen('another workspace is connected with it');
    expect(desk.revocations()).toBe(0);
  });

  test.each([
    [{ type: 'status' as const, status: 401 }, 'revoked before'],
    [{ type: 'status' as const, status: 403 }, 'refused to revoke the former token ('],
    [{ type: 'rate_limit' as const, retryAfterSeconds: 9 }, 'too many requests'],
  ])(
    'may not be revoked by an order service that answers %o, and the new one is in force',
    async (fault, text) => {
      const desk = await again();
      desk.service.faults.order({ on: 'revoke_token', fault });
      await desk.submit({ revoke_former: ['revoke_former'] });
      const { view } = await desk.seen(text);
      expect(JSON.stringify(view)).toContain('This workspace is connected');
    },
  );

  test('may be revoked and may not, where there is no answer: the admin gets a reference', async () => {
    const desk = await again();
    desk.service.faults.order({ on: 'revoke_token', fault: { type: 'unanswered' } });
    await desk.submit({ revoke_former: ['revoke_former'] });
    const { view } = await desk.seen('do not know whether the former token was revoked');
    const [, reference = '-'] = /Reference: ([A-Z0-9]+)/.exec(JSON.stringify(view)) ?? [];
    expect(desk.logged.text()).toContain(`"reference":"${reference}"`);
  });

  test('is told directly where the modal was closed meanwhile', async () => {
    const desk = await again();
    const held = desk.service.faults.order({ on: 'revoke_token', fault: { type: 'hold', when: 'after' } });
    await desk.submit({ revoke_former: ['revoke_former'] });
    await held.reached;
    await desk.olga.closeModal();
    held.release();
    const told = await desk.olga.waitForDirectMessage();
    expect(told.text).toMatch(/is connected.*The former token was revoked/);
  });
});
