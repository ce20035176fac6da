import { describe, expect } from 'vitest';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { test } from '../../support/slack-harness.ts';

const { users, channels } = SEED;

describe('people', () => {
  test('talk in threads, where they are members', async ({ slack }) => {
    const { ts } = slack.person('ana').say('Anyone?', { channel: '#support' });
    slack.person('ben').say('Here', { channel: '#support', thread_ts: ts });
    expect(slack.thread('#support', ts).map(({ text }) => text)).toEqual(['Anyone?', 'Here']);
    expect(() => slack.person('ana').say('Hi', { channel: '#support-leads' })).toThrow('ana is not in');
    expect(() => slack.person('ana').say('Hi', { channel: '#old-returns' })).toThrow('archived');
    expect(() => slack.person('ana').say('Hi', { channel: '#support', thread_ts: '1.0' })).toThrow(
      'no thread',
    );
  });

  test('react once with each emoji, and take it back', async ({ slack }) => {
    const ana = slack.person('ana');
    const { ts } = ana.say('Yes?', { channel: '#support' });
    const at = { channel: '#support', ts };
    ana.react('+1', at);
    expect(() => ana.react('+1', at)).toThrow('has reacted');
    ana.unreact('+1', at);
    expect(() => ana.unreact('+1', at)).toThrow('has not reacted');
    expect(() => ana.react(':+1:', at)).toThrow('no colons');
    const cara = slack.person('cara');
    const asked = { channel: '#approvals', ts: cara.say('Yes?', { channel: '#approvals' }).ts };
    slack.admin.archive(channels.approvals);
    expect(() => cara.react('+1', asked)).toThrow('archived');
  });

  test('delete their own messages; admins delete any', async ({ slack }) => {
    const { ts } = slack.person('ana').say('Oops', { channel: '#support' });
    expect(() => slack.person('ben').deleteMessage({ channel: '#support', ts })).toThrow('may not delete');
    slack.person('olga').deleteMessage({ channel: '#support', ts });
    expect(slack.messages('#support')).toEqual([]);
  });

  test('see the public channels of their company and those that they are in', async ({ slack }) => {
    const names = (who: string) =>
      slack
        .person(who)
        .channels()
        .map(({ name }) => name);
    expect(names('ana')).toEqual(['support', 'partners', 'old-returns']);
    expect(names('cara')).toContain('support-leads');
    expect(names('gus')).toEqual(['partners']);
    expect(names('sid')).toEqual(['support']);
    expect(slack.person('ana').messages('#support')).toEqual([]);
    expect(() => slack.person('ana').messages('#support-leads')).toThrow('ana does not see');
    expect(slack.person('gus').messages('#partners')).toEqual([]);
    expect(() => slack.person('gus').messages(channels.support)).toThrow('gus does not see');
    expect(() => slack.person('gina').messages('#partners')).toThrow('gina does not see');
  });

  test('who are unknown or deactivated can’t act', async ({ slack }) => {
    expect(() => slack.person('nobody')).toThrow('there is nobody called nobody');
    expect(() => slack.person('dora').say('Hi', { channel: '#support' })).toThrow('deactivated');
  });

  test('leave a trace in the journal, whatever they do', async ({ slack, journal }) => {
    const ana = slack.person('ana');
    const at = ana.say('Hello', { channel: '#support' });
    ana.react('+1', at);
    await ana.submit().catch(() => undefined);
    slack.admin.archive(channels.partners);
    expect(journal.entries({ kind: 'person' }).map(({ from, name }) => `${from} ${name}`)).toEqual([
      'ana say',
      'ana react',
      'ana submit',
      'admin archive',
    ]);
  });
});

describe('waiting', () => {
  test('ends as soon as the message is there, now or later', async ({ slack, post }) => {
    const later = slack.waitForMessage({ channel: '#support', text: /cancel/i });
    await post({ text: 'Cancel it' });
    const { ts } = await later;
    expect((await slack.waitForMessage({ text: 'Cancel' })).ts).toBe(ts);
    const reply = slack.waitForMessage({ thread_ts: ts });
    slack.person('ana').say('Thanks', { channel: '#support', thread_ts: ts });
    expect(await reply).toMatchObject({ text: 'Thanks' });
  });

  test('in vain says what is there instead', async ({ slack }) => {
    slack.person('ana').say('Hello', { channel: '#support' });
    await expect(slack.waitForMessage({ text: 'Bye' }, { timeoutMs: 1 })).rejects.toThrow(
      /no message matching text Bye within 1 ms[\s\S]*in #support:[\s\S]*Ana Alvarez: Hello[\s\S]*person say/,
    );
  });

  test('for a direct message or an ephemeral one works alike', async ({ slack, post, call }) => {
    const ana = slack.person('ana');
    const dm = ana.waitForDirectMessage(({ text }) => text.includes('order'));
    const ephemeral = ana.waitForEphemeral();
    await post({ channel: users.ana, text: 'Your order' });
    await call('chat.postEphemeral', { channel: channels.support, user: users.ana, text: 'Psst' });
    expect(await dm).toMatchObject({ text: 'Your order' });
    expect(await ephemeral).toMatchObject({ text: 'Psst' });
  });
});
