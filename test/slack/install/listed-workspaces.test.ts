import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { createIsListed, listTeams } from '../../../src/slack/install/listed-workspaces.ts';

/** Asks a local Slack, which lists Acme alone. `calls`: how often it was asked. */
async function start() {
  const journal = createJournal();
  const slack = await startSlack({ journal });
  onTestFinished(slack.close);
  const agent = createSlackAgent();
  onTestFinished(() => agent.destroy());
  const api = { apiUrl: new URL(slack.apiUrl), logger: boltLogger(SILENT), send: sendOver(agent) };
  const clock = { now: 0 };
  const isListed = createIsListed(api, () => clock.now);
  const of = (generation: string) => ({ generation, tokens: { bot: slack.installation().token } }) as never;
  const calls = () => journal.entries({ kind: 'web_api', name: 'auth.teams.list' }).length;
  return { slack, clock, isListed, of, calls };
}

test('Slack is asked once about a workspace that is not listed, for a while, and not about those that were listed meanwhile', async () => {
  const { clock, isListed, of, calls } = await start();
  const asked = ['T8', 'T8'].map((workspace) => isListed(of('one'), workspace, 'now'));
  expect(await Promise.all(asked)).toEqual([false, false]);
  clock.now += 19_000;
  for (const workspace of ['T8', SEED.team]) await isListed(of('one'), workspace, 'now');
  expect(calls()).toBe(1);
  expect(await isListed(of('one'), 'T9', 'now')).toBe(false);
  expect(calls()).toBe(2);
  clock.now += 2_000;
  await isListed(of('one'), 'T8', 'now');
  expect(calls()).toBe(3);
});

test('Slack is asked three times a minute for events, about however many workspaces that are not listed', async () => {
  const { clock, isListed, of, calls } = await start();
  const strangers = Array.from({ length: 30 }, (_, at) => `T${at}`);
  for (; clock.now < 60_000; clock.now += 3_000) {
    const listed = await Promise.all(strangers.map((id) => isListed(of('one'), id, 'recent')));
    expect(listed).not.toContain(true);
  }
  expect(calls()).toBe(3);
  expect(await isListed(of('one'), SEED.team, 'recent')).toBe(true);
});

test('a failed question to Slack is remembered, too, but not for an organization that has installed the app again', async () => {
  const { slack, clock, isListed, of, calls } = await start();
  slack.faults.schedule({ on: 'auth.teams.list', fault: { type: 'status', status: 500 } });
  for (const workspace of [SEED.team, SEED.team, 'T9'])
    await expect(isListed(of('one'), workspace, 'now')).rejects.toThrow();
  expect(calls()).toBe(1);
  expect(await isListed(of('two'), SEED.team, 'now')).toBe(true);
  clock.now += 21_000;
  expect(await isListed(of('one'), SEED.team, 'now')).toBe(true);
});

test('the workspaces of an organization are those of all pages', async () => {
  const client = {
    async *paginate() {
      for (const id of ['T1', 'T2']) yield { teams: [{ id }] };
    },
  };
  const listed = await listTeams('xoxb-1', { client: () => client } as never, 1_000);
  expect(listed).toEqual(new Set(['T1', 'T2']));
});
