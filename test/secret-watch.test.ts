/** The search for secrets after every end-to-end test (test/support/e2e/harness.ts) would find them. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createJournal } from '../sandbox/lib/http/journal.ts';
import { readConfig } from '../src/config.ts';
import { leaksIn, readStored, watchJournal } from './support/e2e/secret-watch.ts';
import { temporaryFolder } from './support/storage/stores.ts';

const TOKEN = 'order_rest_acme_4711';
const EVENTS_SECRET = 'e'.repeat(43);
const SECRETS = new Set([TOKEN, EVENTS_SECRET]);
const CALL = { from: 'bot', to: 'slack', kind: 'web_api' } as const;
const PLACES = { texts: {}, sent: [] };

test('a token is found in the log, in the metrics, in the storage, in what the bot says and in what it answers', () => {
  const { journal, sent } = watchJournal(createJournal());
  journal.addSecret(TOKEN);
  journal.record({ ...CALL, name: 'chat.postMessage', request: { blocks: [{ text: `is ${TOKEN}` }] } });
  journal
    .begin({ from: 'slack', to: 'bot', kind: 'command', name: '/countermand', request: { text: TOKEN } })
    .end({ ended: 'answered', response: { status: 200, body: { text: TOKEN } } });
  const texts = {
    'the log': `{"msg":"${TOKEN}"}`,
    'the metrics': `a{b="${TOKEN}"} 1`,
    'the storage': `row ${TOKEN}`,
  };
  expect(leaksIn({ texts, sent }, SECRETS)).toEqual([
    'order_rest_a… in the log',
    'order_rest_a… in the metrics',
    'order_rest_a… in the storage',
    'order_rest_a… in web_api chat.postMessage',
    'order_rest_a… in command /countermand',
  ]);
});

test.each(['', 'a', 'id:', 'id:x'])('a secret is found in Base64, behind "%s" and before more', (before) => {
  const texts = { 'the log': Buffer.from(`${before}${TOKEN};`).toString('base64') };
  expect(leaksIn({ texts, sent: [] }, SECRETS)).toEqual(['order_rest_a… in the log']);
});

test('what a call is made with, and what a person has typed, is nothing that the bot has sent', () => {
  const { journal, sent } = watchJournal(createJournal());
  journal.record({ ...CALL, name: 'chat.postMessage', request: { token: TOKEN, text: 'hello' } });
  const typed = { from: 'slack', to: 'bot', kind: 'interactivity', name: 'view', request: { value: TOKEN } };
  journal.record({ ...typed, kind: 'interactivity' });
  expect(leaksIn({ ...PLACES, sent }, SECRETS)).toEqual([]);
});

test('an events secret may stand in a form, and nowhere else', () => {
  const { journal, sent } = watchJournal(createJournal());
  for (const name of ['views.update', 'chat.postMessage'])
    journal.record({ ...CALL, name, request: { view: EVENTS_SECRET } });
  expect(leaksIn({ ...PLACES, sent }, SECRETS)).toEqual(['eeeeeeeeeeee… in web_api chat.postMessage']);
});

test('what was written to a SQLite file a moment ago is read, though it is only in the log beside it', async () => {
  const path = join(temporaryFolder(), 'bot.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES ('${TOKEN}')`);
  const config = readConfig(
    {
      PUBLIC_URL: 'https://bot.example',
      ORDER_SERVICE_URL: 'https://orders.example',
      SLACK_SIGNING_SECRET: 'secret',
      SLACK_BOT_TOKEN: 'xoxb-1',
      STORAGE_URL: `sqlite:${path}`,
    },
    false,
  );
  expect(leaksIn({ ...PLACES, texts: { 'the storage': await readStored(config) } }, SECRETS)).toEqual([
    'order_rest_a… in the storage',
  ]);
  database.close();
});
