/** The existing connection as an admin sees it, and its token's end when they connect another one. */
import { describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { killTokens, REST, waitForNotice } from '../../support/e2e/refused-token.ts';

/** Resolves with the form's text about the connection, once it contains this. */
async function facts(harness: Harness, text: RegExp) {
  const read = async () => {
    const { view } = await harness.openConnect();
    await harness.olga.closeModal();
    return JSON.stringify(view.blocks[0]);
  };
  await expect.poll(read).toMatch(text);
  return read();
}

describe('an admin who runs /countermand connect again', () => {
  test('sees who connected it and when, and that nothing has come since', async () => {
    const harness = await startHarness();
    const said = await facts(harness, /Connected by <@U0OLGA0001>, <!date\^\d+\^/);
    expect(said).toContain('No call with this token has been accepted since it was connected.');
    expect(said).toContain('No event has arrived since this connection was made.');
    expect(said).toContain('Events are accepted with one secret.');
    expect(said).not.toContain('has not accepted');
  });

  test('sees when it last answered, and when its last event came', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    await facts(
      harness,
      /order service last accepted this token <!date\^\d+\^\{ago\}.*last event arrived <!date\^\d+\^\{ago\}/,
    );
  });

  test('sees that no event has come since the connection was replaced, and not that none ever has', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    harness.service.approve('A-2001');
    await harness.reply('A-2001', /confirmed it after a review/);
    await facts(harness, /last event arrived/);
    await harness.connect({ events_secret: 'replace' });
    expect(await facts(harness, /No event has arrived/)).toMatch(
      /No event has arrived since this connection/,
    );
  });

  test('sees how many secrets are live', async () => {
    const harness = await startHarness();
    await harness.connect({ events_secret: 'replace' });
    await facts(harness, /Events are accepted with 2 secrets/);
  });

  test('sees that the token is refused, and nothing of that once another one is connected', async () => {
    const harness = await startHarness();
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await facts(
      harness,
      /has not accepted this token since <!date\^\d+\^.*Connect another one, or try it again.*No call with this token has been accepted since it was connected\./,
    );
    await harness.connect({ token: harness.service.issueToken(), events_secret: 'replace' });
    expect(await facts(harness, /Connected by/)).not.toContain('has not accepted');
  });

  test('sees nothing of that the first time', async () => {
    const harness = await startHarness({ connected: false });
    const { view, values } = await harness.openConnect();
    expect(JSON.stringify(view)).not.toMatch(/Connected by|former token/);
    expect(values).not.toHaveProperty('revoke_former');
  });

  test('never sees the token', async () => {
    const harness = await startHarness();
    const { view } = await harness.openConnect();
    expect(JSON.stringify(view)).not.toContain(REST);
  });
});

describe('the former token', () => {
  async function again(more: { exclusive?: boolean } = {}) {
    const harness = await startHarness({ connected: false });
    await harness.connect(more.exclusive ? { exclusive: ['exclusive'] } : {});
    const { values } = await harness.openConnect();
    const next = harness.service.issueToken();
    const submit = (fields: Parameters<typeof harness.olga.submit>[0] = {}) =>
      harness.olga.submit({ token: next, ...fields });
    const seen = (text: string) => harness.olga.waitForModal({ text });
    const revocations = () => harness.service.calls({ operation: 'revoke_token' }).length;
    return { ...harness, values, submit, seen, revocations };
  }

  test('is revoked where the admin ticks it, and agents go on with the new one', async () => {
    const harness = await again();
    expect(harness.values['revoke_former']).toEqual([]);
    await harness.submit({ revoke_former: ['revoke_former'] });
    await harness.seen('The former token was revoked at the order service.');
    await harness.olga.closeModal();
    expect(harness.service.organization().tokens.map(({ token }) => token)).not.toContain(REST);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('is not revoked unless the admin ticks it, though Countermand alone uses it', async () => {
    const harness = await again({ exclusive: true });
    expect(harness.values['revoke_former']).toEqual([]);
    await harness.submit();
    await harness.seen('is connected');
    expect(harness.revocations()).toBe(0);
  });

  test('is not connected anew while it is revoked', async () => {
    const harness = await again();
    const held = harness.service.faults.schedule({
      on: 'revoke_token',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.submit({ revoke_former: ['revoke_former'] });
    await held.reached;
    const oscar = harness.slack.person('oscar');
    await oscar.command('/countermand connect', { channel: '#support' });
    await oscar.waitForModal({ callback: 'connect' });
    await oscar.submit({ token: REST });
    await oscar.waitForModal({ text: 'is revoking this token' });
    held.release();
    await harness.seen('The former token was revoked at the order service.');
  });

  test('keeps its choice when the new one has to be pasted again', async () => {
    const harness = await again();
    await harness.submit({ token: 'no-such-token', revoke_former: ['revoke_former'] });
    const { values } = await harness.seen('did not accept the token you sent');
    expect(values['revoke_former']).toEqual(['revoke_former']);
    expect(harness.revocations()).toBe(0);
  });

  test.each([
    [{ type: 'status' as const, status: 401 }, 'revoked before'],
    [{ type: 'status' as const, status: 403 }, "don't know whether the former token was revoked"],
    [{ type: 'status' as const, status: 202 }, "don't know whether the former token was revoked"],
  ])(
    'may not be revoked by an order service that answers %o, and the new one is in force',
    async (fault, text) => {
      const harness = await again();
      harness.service.faults.schedule({ on: 'revoke_token', fault });
      await harness.submit({ revoke_former: ['revoke_former'] });
      const { view } = await harness.seen(text);
      expect(JSON.stringify(view)).toContain('This workspace is connected');
    },
  );

  test('may be revoked and may not, where there is no answer: the admin gets a reference', async () => {
    const harness = await again();
    harness.service.faults.schedule({ on: 'revoke_token', fault: { type: 'drop' } });
    await harness.submit({ revoke_former: ['revoke_former'] });
    const { view } = await harness.seen("don't know whether the former token was revoked");
    const [, reference = '-'] = /Reference: ([A-Z0-9]+)/.exec(JSON.stringify(view)) ?? [];
    expect(harness.logged.text()).toContain(`"reference":"${reference}"`);
  });

  test('is told directly where the modal was closed meanwhile', async () => {
    const harness = await again();
    const held = harness.service.faults.schedule({
      on: 'revoke_token',
      fault: { type: 'hold', when: 'after' },
    });
    await harness.submit({ revoke_former: ['revoke_former'] });
    await held.reached;
    await harness.olga.closeModal();
    held.release();
    const notice = await harness.olga.waitForDirectMessage();
    expect(notice.text).toMatch(/is connected.*The former token was revoked/);
  });
});
