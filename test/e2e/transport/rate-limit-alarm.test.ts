import { expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

/** The whole payload, with no event in it (https://docs.slack.dev/reference/events/app_rate_limited). */
const rateLimited = (harness: Harness, team_id: string) =>
  harness.slack.sendCustom({
    kind: 'event',
    body: {
      token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
      type: 'app_rate_limited',
      team_id,
      minute_rate_limited: 1_518_467_820,
      api_app_id: 'A0COUNTERMAND',
    },
  });

const alarms = (harness: Harness) =>
  harness.logged
    .text()
    .split('\n')
    .filter((line) => line.includes('app_rate_limited'))
    .map((line) => JSON.parse(line));

test.each(['http', 'socket'] as const)(
  'that Slack holds events back is acknowledged, and is an alarm in the log, once a minute and workspace (%s)',
  async (transport) => {
    const harness = await startHarness({ transport });
    for (const team of [SEED.team, SEED.team, SEED.otherTeam, SEED.team])
      expect(await rateLimited(harness, team)).toMatchObject({ ended: 'answered', status: 200 });
    expect(alarms(harness)).toEqual([
      expect.objectContaining({ level: 50, workspace: SEED.team, since: '2018-02-12T20:37:00.000Z' }),
      expect.objectContaining({ level: 50, workspace: SEED.otherTeam }),
    ]);
  },
);
