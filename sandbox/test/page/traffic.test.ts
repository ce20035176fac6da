import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../lib/http/journal.ts';
import { SEED_TOKENS } from '../../order-service/world/seed.ts';
import type { Stream } from './follow.ts';
import { openPageDesk } from './support.ts';

type Desk = Awaited<ReturnType<typeof openPageDesk>>;
type Begun = Pick<JournalEntry, 'kind' | 'name' | 'request'>;

const say = ({ slack }: Desk, text: string) => slack.person('ana').say(text, { channel: '#support' });
const traffic = (stream: Stream) => stream.next<JournalEntry[]>('traffic');
const told = (entries: JournalEntry[]) => entries.map(({ request }) => (request as { text: string }).text);

describe('the traffic', () => {
  test('begins with all that was, and goes on with what is new', async () => {
    const desk = await openPageDesk();
    say(desk, 'One');
    say(desk, 'Two');
    const stream = await desk.backstage();
    const first = await traffic(stream);
    expect(told(first.data)).toEqual(['One', 'Two']);
    say(desk, 'Three');
    const next = await traffic(stream);
    expect(told(next.data)).toEqual(['Three']);
  });

  test('goes on after a lost connection with what was missed, and repeats nothing', async () => {
    const desk = await openPageDesk();
    say(desk, 'One');
    const lost = await desk.backstage();
    const { id } = await traffic(lost);
    lost.leave();
    await desk.unwatched(0);
    say(desk, 'Two');
    say(desk, 'Three');
    const stream = await desk.backstage(id);
    expect(told((await traffic(stream)).data)).toEqual(['Two', 'Three']);
    say(desk, 'Four');
    expect(told((await traffic(stream)).data)).toEqual(['Four']);
  });

  test('has nothing to tell a browser that missed nothing', async () => {
    const desk = await openPageDesk();
    say(desk, 'One');
    const lost = await desk.backstage();
    const { id } = await traffic(lost);
    lost.leave();
    const stream = await desk.backstage(id);
    expect((await stream.any())?.event).toBe('backstage');
    expect((await stream.any())?.event).toBe('underway');
    say(desk, 'Two');
    expect(told((await traffic(stream)).data)).toEqual(['Two']);
  });

  test('begins anew for a browser that was at another sandbox at this address', async () => {
    const before = await openPageDesk();
    say(before, 'Before');
    const { id } = await traffic(await before.backstage());
    const desk = await openPageDesk();
    say(desk, 'One');
    say(desk, 'Two');
    const stream = await desk.backstage(id);
    expect(told((await traffic(stream)).data)).toEqual(['One', 'Two']);
    say(desk, 'Three');
    expect(told((await traffic(stream)).data)).toEqual(['Three']);
  });

  test('begins anew for a browser whose last id is none', async () => {
    const desk = await openPageDesk();
    say(desk, 'One');
    expect(told((await traffic(await desk.backstage('none'))).data)).toEqual(['One']);
  });

  test('does not hold the events secret that the bot makes up, before anybody has called it one', async () => {
    const desk = await openPageDesk();
    const secret = randomBytes(32).toString('base64url');
    await desk.post({ text: `The secret is ${secret}` });
    const { json } = await traffic(await desk.backstage());
    expect(json).not.toContain(secret);
  });

  test('never holds a secret', async () => {
    const desk = await openPageDesk();
    const { slack, service, bot, journal, post, backstage } = desk;
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
    await desk.cancel('A-2001');
    await desk.cancel('A-1001', { token: issued });
    await journal.waitFor({ kind: 'service_event' });
    say(desk, `The secrets are ${secrets.join(', ')}.`);
    const { json, data } = await (await backstage()).until<JournalEntry[]>('traffic', (entries) =>
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
  test('is listed from its beginning to its end, without its secrets', async () => {
    const desk = await openPageDesk();
    const hold = desk.service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'before' } });
    const stream = await desk.backstage();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    const answer = desk.cancel('A-1001');
    const { data, json } = await stream.next<Begun[]>('underway');
    expect(data).toMatchObject([{ kind: 'order_service', name: 'cancel_order', request: { id: 'A-1001' } }]);
    expect(json).not.toContain(SEED_TOKENS.acme.rest);
    hold.release();
    expect((await stream.next<Begun[]>('underway')).data).toEqual([]);
    expect((await traffic(stream)).data).toMatchObject([{ name: 'cancel_order', ended: 'answered' }]);
    await answer;
  });
});
