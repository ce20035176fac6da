/**
 * Promise 6: nobody of one workspace sees or affects anything of another, by whichever route, and whatever they hold of
 * it.
 *
 * The table (test/support/isolation/rows and http-rows.ts) has a row for each thing that somebody could try. Here
 * every row is played twice between two workspaces that have one of everything (two-workspaces.ts): by an admin of the
 * other workspace, who must get and change nothing (evidence.ts looks at all that is stored, shown and called), and by
 * those whose it is, so that the row is known to try something that works. A route without a row fails by its name.
 */
import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { SEED_ENTERPRISE } from '../../sandbox/slack/world/seed/enterprise.ts';
import type { ListenerDeps } from '../../src/slack/listeners/listener.ts';
import { slackRoutes } from '../../src/slack/routes.ts';
import { UNINSTALL_TIMINGS } from '../../src/workspaces/installation/uninstall-record.ts';
import { startHarness } from '../support/e2e/harness.ts';
import { openBrowser } from '../support/e2e/install-browser.ts';
import { type Caller, callerFrom } from '../support/isolation/caller.ts';
import {
  callsFor,
  difference,
  givenAway,
  marksOf,
  storedOf,
  visibleIn,
} from '../support/isolation/evidence.ts';
import {
  connectValues,
  policyValues,
  requestValues,
  settingsValues,
} from '../support/isolation/form-values.ts';
import { HTTP_ROWS } from '../support/isolation/http-rows.ts';
import type { Row } from '../support/isolation/row.ts';
import { SLACK_ROWS } from '../support/isolation/slack-rows.ts';
import { startTwoWorkspaces, type TwoWorkspaces } from '../support/isolation/two-workspaces.ts';
import { eventually } from '../support/time/eventually.ts';

/** At last the views: the last of them disconnects the caller’s own workspace. */
const TABLES = { routes: HTTP_ROWS, ...SLACK_ROWS };

const ROWS = Object.entries(TABLES).flatMap(([table, rows]) =>
  Object.entries(rows).flatMap(([route, tries]) =>
    tries.map((row) => ({ name: `${table}: ${route}, with ${row.holding}`, ...row })),
  ),
);

/** All of them need what came before to be undone, and none of them is long. */
const TIMEOUT = 180_000;

describe('the table', () => {
  test.each(Object.entries(slackRoutes({} as ListenerDeps)))(
    'has a row for each of the %s',
    (table, routes) => {
      const rows = SLACK_ROWS[table as keyof typeof SLACK_ROWS] ?? {};
      expect(Object.keys(rows).sort()).toEqual(Object.keys(routes).sort());
    },
  );

  test('has a row for each route of the server', async () => {
    const harness = await startHarness({ installing: 'oauth' });
    expect(Object.keys(HTTP_ROWS).sort()).toEqual(harness.routes().sort());
  });

  test('has at least one row for each route', () => {
    const empty = Object.values(TABLES).flatMap((rows) =>
      Object.entries(rows).filter(([, tries]) => !tries.length),
    );
    expect(empty).toEqual([]);
  });
});

/** Compares what another workspace has with what it had before. */
async function watchOver({ harness, held }: TwoWorkspaces) {
  const stored = await storedOf(harness, held.team);
  const shown = visibleIn(harness, held.team);
  const [last] = harness.journal.entries().slice(-1);
  return async () => ({
    stored: difference(stored, await storedOf(harness, held.team)),
    shown: difference(shown, visibleIn(harness, held.team)),
    calls: callsFor(harness, held, last?.n ?? 0),
  });
}

const NOTHING = { stored: [], shown: [], calls: [] };

/** Waits until Slack has been asked whether a workspace is gone: the pending check is stored meanwhile. */
const lasting = (changes: Awaited<ReturnType<typeof watchOver>>) =>
  eventually(async () => {
    const found = await changes();
    expect(found.stored.filter((line) => /\buninstalls\b/.test(line))).toEqual([]);
    return found;
  });

/** Plays a row, and waits until the caller has read what they are to read. @returns all that they got */
async function play({ harness, held }: TwoWorkspaces, row: Row, me: Caller) {
  const before = visibleIn(harness, me.side.team);
  const answer = await row.play(me, held);
  const got = () => [answer, ...difference(before, visibleIn(harness, me.side.team))].join('\n');
  await eventually(() => expect(got()).toMatch(row.reads));
  return got();
}

test('an admin of one workspace gets nothing of another, and changes nothing there', {
  timeout: TIMEOUT,
}, async () => {
  const two = await startTwoWorkspaces();
  const { harness, held, mine, restore } = two;
  const marks = marksOf(harness, held);
  const changesInAll = await watchOver(two);
  const sent: string[] = [];
  for (const row of ROWS) {
    await restore();
    const changes = await watchOver(two);
    const me = callerFrom(harness, mine, mine.admin);
    const got = await play(two, row, me).catch((error) => `not as expected: ${error}`);
    const seen = {
      unexpected: /^not as expected.*/s.exec(got)?.[0],
      leaks: givenAway(marks, got, me.sent()),
    };
    expect.soft({ row: row.name, ...seen, ...(await lasting(changes)) }).toEqual({
      row: row.name,
      unexpected: undefined,
      leaks: [],
      ...NOTHING,
    });
    sent.push(me.sent());
  }
  // Including the work that listeners did after they had answered.
  await harness.restart();
  expect(await changesInAll()).toEqual(NOTHING);
  const ends = [...visibleIn(harness, mine.team), ...(await storedOf(harness, mine.team))];
  expect(givenAway(marks, ends.join('\n'), sent.join('\n'))).toEqual([]);
});

test('each row does or shows something if somebody of the attacked workspace plays it', {
  timeout: TIMEOUT,
}, async () => {
  const two = await startTwoWorkspaces();
  const { harness, held, settled } = two;
  const marks = marksOf(harness, held);
  const who = { admin: held.admin, agent: held.agent, approver: held.approvers[1] };
  for (const { works = 'admin', ...row } of ROWS) {
    if (works === 'nobody') continue;
    await settled();
    const changes = await watchOver(two);
    const me = callerFrom(harness, held, who[works]);
    const answer = await row.play(me, held);
    await eventually(async () => {
      const { stored, shown } = await changes();
      const leaks = givenAway(marks, [answer, ...shown].join('\n'), me.sent());
      expect(stored.length + leaks.length, row.name).toBeGreaterThan(0);
    });
  }
});

test('a form that is being worked on keeps nobody of another workspace from sending theirs', async () => {
  const { harness, held, mine } = await startTwoWorkspaces();
  const uma = harness.slack.person(held.admin);
  await uma.command('/countermand connect', { channel: held.channel });
  const { view } = await uma.waitForModal({ callback: 'connect' });
  const checking = harness.service.faults.schedule({
    on: 'get_sub_brands',
    fault: { type: 'hold', when: 'before' },
  });
  await callerFrom(harness, mine, mine.admin).submit('connect', {
    metadata: JSON.stringify({ shown: await mine.generation() }),
    values: connectValues(mine.token),
    view: { id: view.id },
  });
  await checking.reached;
  await uma.submit({ token: held.token });
  await uma.waitForModal({ text: 'is connected' });
  checking.release();
});

describe('in an organization, where one bot token opens the channels of every workspace', () => {
  const { id: ORG, support: team, returns, users, channels } = SEED_ENTERPRISE;

  async function startOrganization() {
    const harness = await startHarness({ installing: 'oauth', slack: { enterprise: true, orgDeploy: true } });
    await openBrowser(harness).install('ida', { team: ORG });
    const { connect } = await harness.terminal();
    const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: users.ida } as const;
    await connect({ workspace: team, token: SEED_TOKENS.acme.rest, ...how });
    const bot = harness.slack.installation(ORG).bot_user_id;
    const named = { team_id: returns, name: 'returns-votes', kind: 'private' as const };
    const apart = harness.slack.admin.addChannel({ ...named, members: [users.jan, bot] }).id;
    harness.slack.admin.invite(channels.returns, bot);
    return { harness, apart, me: callerFrom(harness, { team, channel: channels.support }, users.ida) };
  }

  test.each([
    ['request_cancel_order', '', (channel: string) => requestValues('A-1001', channel)],
    ['settings', '{}', (channel: string) => settingsValues({ channel })],
    [
      'policy',
      JSON.stringify({ kind: 'cancel_order' }),
      (channel: string) => policyValues({ approvers: 'channel', channel }),
    ],
  ] as const)('the form %s takes none of another workspace', async (callback, metadata, valuesWith) => {
    const { harness, apart, me } = await startOrganization();
    const before = visibleIn(harness, returns);
    for (const channel of [channels.returns, apart]) {
      const before = visibleIn(harness, team);
      const answer = await me.submit(callback, { metadata, values: valuesWith(channel) });
      // At the field or, where Slack is asked after the form is acknowledged, a moment later.
      const got = () => [answer, ...difference(before, visibleIn(harness, team))].join('\n');
      await eventually(() => expect(got()).toMatch(/I cannot see this channel/));
    }
    await harness.restart();
    expect(visibleIn(harness, returns)).toEqual(before);
  });
});

test('a workspace that leaves takes nothing of another with it', async () => {
  const soon = { ...UNINSTALL_TIMINGS, recheckMs: 50, retryMs: 50, lateWritesMs: 50 };
  const two = await startTwoWorkspaces({ overrides: { uninstallTimings: soon } });
  const { harness, mine } = two;
  const changes = await watchOver(two);
  harness.slack.admin.uninstall(mine.team);
  await eventually(async () => expect(await storedOf(harness, mine.team)).toEqual([]));
  await harness.restart();
  expect(await changes()).toEqual(NOTHING);
});
