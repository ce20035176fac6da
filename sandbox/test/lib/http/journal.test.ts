import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createJournal } from '../../../lib/http/journal.ts';

const act = (name: string, request: unknown = {}) =>
  ({ from: 'ana', to: 'slack', kind: 'person', name, request }) as const;

test('entries are numbered as they end, and know what had ended when they began', () => {
  const journal = createJournal();
  const slow = journal.begin(act('slow'));
  journal.record(act('quick'));
  slow.end({ ended: 'answered' });
  expect(journal.entries().map(({ n, name, after }) => [n, name, after])).toEqual([
    [1, 'quick', 0],
    [2, 'slow', 0],
  ]);
});

describe('waitFor', () => {
  test('finds what comes later, and can look past what is known', async () => {
    const journal = createJournal();
    const { n } = journal.record(act('said'));
    const next = journal.waitFor(({ name }) => name === 'said', { after: n });
    journal.record(act('said'));
    expect(await next).toMatchObject({ n: 2 });
  });

  test('says what there was instead, and what is under way', async () => {
    const journal = createJournal();
    journal.record(act('said'));
    journal.begin(act('thinking'));
    const inVain = journal.waitFor({ name: 'shouted' }, { timeoutMs: 1 });
    await expect(inVain).rejects.toThrow(
      /\{"name":"shouted"\}[\s\S]*ana -> slack {2}person said[\s\S]*under way: .*thinking/,
    );
  });
});

test('subscribers hear of every entry until they leave', () => {
  const journal = createJournal();
  const names: string[] = [];
  const leave = journal.subscribe(({ name }) => names.push(name));
  journal.record(act('one'));
  leave();
  journal.record(act('two'));
  expect(names).toEqual(['one']);
});

test('a secret that is a part of words leaves them readable', () => {
  const journal = createJournal();
  for (const secret of ['', 'x', 'test']) journal.addSecret(secret);
  const request = { type: 'plain_text', max_length: 3, text: 'The latest' };
  expect(journal.record(act('said', request)).request).toEqual(request);
});

test('secrets are masked in requests and answers, save for their end', () => {
  const journal = createJournal();
  journal.addSecret('a-shared-secret-1234');
  const request = {
    headers: { authorization: 'Bearer xoxb-1-2-abcdefgh', 'x-slack-signature': `v0=${'ab'.repeat(32)}` },
    text: ['the secret is a-shared-secret-1234.'],
  };
  const entry = journal.record(act('said', request), {
    ended: 'answered',
    response: { status: 200, body: 'xoxp-12345678-zzzz' },
  });
  expect(entry.request).toEqual({
    headers: { authorization: 'Bearer ***efgh', 'x-slack-signature': '***abab' },
    text: ['the secret is ***1234.'],
  });
  expect(entry.response?.body).toBe('***zzzz');
});

test('an events secret is masked before anybody has named it as a secret', () => {
  const secret = randomBytes(32).toString('base64url');
  const entry = createJournal().record(act('said', { text: `The secret is ${secret}` }));
  expect(JSON.stringify(entry)).not.toContain(secret.slice(0, -4));
});
