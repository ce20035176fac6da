import { describe, expect, test } from 'vitest';
import { openSlackHarness, payloadOf } from '../../support/slack-harness.ts';

const respond = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

/** Opens a harness in which Ana ran a command. @returns also its response_url */
async function afterCommand(options: { now?: () => number } = {}) {
  const harness = await openSlackHarness(options);
  const ana = harness.slack.person('ana');
  await ana.command('/cancel-order', { channel: '#support' });
  return { ...harness, ana, url: payloadOf(harness.bot).response_url };
}

describe('a response_url', () => {
  test('answers the person alone', async () => {
    const { url, ana, slack } = await afterCommand();
    const answer = await respond(url, { text: 'For you' });
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
    expect(ana.ephemerals()).toMatchObject([{ text: 'For you' }]);
    expect(slack.messages('#support')).toEqual([]);
  });

  test('works five times', async () => {
    const { url, journal } = await afterCommand();
    for (let n = 0; n < 5; n += 1) expect((await respond(url, { text: 'Again' })).status).toBe(200);
    const sixth = await respond(url, { text: 'Again' });
    expect([sixth.status, await sixth.json()]).toEqual([404, { ok: false, error: 'used_url' }]);
    expect(journal.entries({ kind: 'response_url' })).toHaveLength(6);
  });

  test('works for half an hour', async () => {
    let now = 1_700_000_000_000;
    const { url } = await afterCommand({ now: () => now });
    now += 30 * 60_000 + 1;
    const late = await respond(url, { text: 'Late' });
    expect([late.status, await late.json()]).toEqual([404, { ok: false, error: 'expired_url' }]);
  });

  test.each([
    ['invalid_payload', { text: 7 }],
    ['invalid_payload', { text: 'x', delete_original: true }],
    ['no_text', {}],
    ['invalid_blocks', { blocks: [{ type: 'nonsense' }] }],
  ])('answers %s with 400', async (code, body) => {
    const { url } = await afterCommand();
    const answer = await respond(url, body);
    expect([answer.status, await answer.text()]).toEqual([400, code]);
  });

  test('that was made up leads nowhere', async () => {
    const { slack } = await openSlackHarness();
    const answer = await respond(`${new URL(slack.apiUrl).origin}/actions/T0ACME0001/1/nonsense`, {
      text: 'x',
    });
    expect(answer.status).toBe(404);
  });
});
