import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { JournalEntry } from '../../../lib/http/journal.ts';
import { SEED_TOKENS } from '../../../order-service/world/seed.ts';
import type { Stream } from '../support/follow.ts';
import { openPageHarness, test } from '../support/harness.ts';

type Harness = Awaited<ReturnType<typeof openPageHarness>>;
type Begun = Pick<JournalEntry, 'kind' | 'name' | 'request'>;

const say = ({ slack }: Harness, text: string) => slack.person('ana').say(text, { channel: '#support' });
const traffic = (stream: Stream) => stream.next<JournalEntry[]>('traffic');
const told = (entries: JournalEntry[]) => entries.map(({ request }) => (request as { text: string }).text);

describe('the traffic', () => {
  test('begins with all that was, and goes on with what is new', async ({ harness }) => {
    say(harness, 'One');
    say(harness, 'Two');
    const stream = await harness.inspector();
    const first = await traffic(stream);
    expect(told(first.data)).toEqual(['One', 'Two']);
    say(harness, 'Three');
    const next = await traffic(stream);
    expect(told(next.data)).toEqual(['Three']);
  });

  test('goes on after a lost connection with what was missed, and repeats nothing', async ({ harness }) => {
    say(harness, 'One');
    const lost = await harness.inspector();
    const { id } = await traffic(lost);
    lost.leave();
    await harness.unwatched(0);
    say(harness, 'Two');
    say(harness, 'Three');
    const stream = await harness.inspector(id);
    expect(told((await traffic(stream)).data)).toEqual(['Two', 'Three']);
    say(harness, 'Four');
    expect(told((await traffic(stream)).data)).toEqual(['Four']);
  });

  test('begins anew for a browser that was at another sandbox at this address', async () => {
    const before = await openPageHarness();
    say(before, 'Before');
    const { id } = await traffic(await before.inspector());
    const harness = await openPageHarness();
    say(harness, 'One');
    say(harness, 'Two');
    const stream = await harness.inspector(id);
    expect(told((await traffic(stream)).data)).toEqual(['One', 'Two']);
    say(harness, 'Three');
    expect(told((await traffic(stream)).data)).toEqual(['Three']);
  });

  test('does not hold the events secret that the bot makes up, before anybody has called it one', async () => {
    const harness = await openPageHarness();
    const secret = randomBytes(32).toString('base64url');
    await harness.post({ text: `The secret is ${secret}` });
    const { json } = await traffic(await harness.inspector());
    expect(json).not.toContain(secret);
  });

  test('never holds a secret', async ({ harness }) => {
    const { slack, service, bot, journal, post, inspector } = harness;
    const secret = 'a-secret-of-a-subscription';
    service.subscribe({ url: bot.url, secret });
    const issued = service.issueToken();
    const secrets = [
      slack.installation().token,
      slack.signingSecret,
      slack.appToken,
      SEED_TOKENS.acme.rest,
      secret,
      issued,
    ];
    await post({ text: 'Hello' });
    await slack.person('ana').command(`/cancel-order ${issued}`, { channel: '#support' });
    await harness.cancel('A-2001');
    await harness.cancel('A-1001', { token: issued });
    await journal.waitFor({ kind: 'service_event' });
    say(harness, `The secrets are ${secrets.join(', ')}.`);
    const { json, data } = await (await inspector()).until<JournalEntry[]>('traffic', (entries) =>
      entries.some(({ name }) => name === 'say'),
    );
    expect(data.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['web_api', 'command', 'order_service', 'service_event', 'person']),
    );
    for (const each of secrets) expect(json).not.toContain(each);
    expect(json).toContain(`***${secret.slice(-4)}`);
  });
});

describe('what is under way', () => {
  test('is listed from its beginning to its end, without its secrets', async ({ harness }) => {
    const hold = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
    });
    const stream = await harness.inspector();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    const answer = harness.cancel('A-1001');
    const { data, json } = await stream.next<Begun[]>('underway');
    expect(data).toMatchObject([{ kind: 'order_service', name: 'cancel_order', request: { id: 'A-1001' } }]);
    expect(json).not.toContain(SEED_TOKENS.acme.rest);
    hold.release();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    expect((await traffic(stream)).data).toMatchObject([{ name: 'cancel_order', ended: 'answered' }]);
    await answer;
  });
});
