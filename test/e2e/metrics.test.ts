import { expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { startAwaitingApproval, YES } from '../support/e2e/approvals.ts';
import { startHarness } from '../support/e2e/harness.ts';
import { openBrowser } from '../support/e2e/install-browser.ts';
import { eventually } from '../support/time/eventually.ts';

/** The value of a metric with these labels, as they are written; undefined: it is not there. */
function sample(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`countermand_${series} `));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

test('a cancellation, its calls and its event are counted, with no workspace, person or order in a label', async () => {
  const { cancelOrder, reply, service, metrics, url } = await startHarness();
  await cancelOrder('A-2001');
  await reply('A-2001', /is reviewing it/);
  const open = 'open_requests{kind="cancel_order",state="under_review"}';
  expect(sample(await metrics(), open)).toBe(1);
  await service.approve('A-2001').settled;
  await reply('A-2001', /confirmed it after a review/);
  const text = await metrics();
  expect({
    requests: sample(text, 'requests_total{kind="cancel_order"}'),
    approved: sample(text, 'request_steps_total{kind="cancel_order",state="approved"}'),
    took: sample(text, 'request_outcome_seconds_count{kind="cancel_order",state="approved"}'),
    posted: sample(text, 'effects_total{effect="post_card",result="posted"}'),
    called: sample(text, 'order_service_calls_total{method="cancel_order",outcome="ok"}'),
    writable: sample(text, 'storage_writable'),
    connected: sample(text, 'connections{state="accepted"}'),
    faults: sample(text, 'faults_total'),
  }).toEqual({
    requests: 1,
    approved: 1,
    took: 1,
    posted: 1,
    called: 1,
    writable: 1,
    connected: 1,
    faults: 0,
  });
  expect(sample(text, 'slack_calls_total{method="chat.postMessage",outcome="ok"}')).toBeGreaterThan(0);
  expect(sample(text, 'acknowledgement_seconds_count')).toBeGreaterThan(1);
  expect(Math.abs(sample(text, 'clock_offset_seconds') ?? 99)).toBeLessThanOrEqual(2);
  expect(Date.now() / 1_000 - (sample(text, 'last_event_timestamp_seconds') ?? 0)).toBeLessThan(60);
  for (const secretive of [SEED.team, SEED.users.ana, 'A-2001']) expect(text).not.toContain(secretive);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
});

test('workspaces are labels if the operator wants that', async () => {
  const { cancelOrder, reply, metrics } = await startHarness({ env: { METRICS_PER_WORKSPACE: '1' } });
  await cancelOrder('A-1001');
  await reply('A-1001', /is cancelled/);
  const series = `requests_total{kind="cancel_order",workspace="${SEED.team}"}`;
  expect(sample(await metrics(), series)).toBe(1);
});

test('votes are counted with their way, refused ones with the reason, and decisions with their time', async () => {
  const { ana, cara, message, reply, metrics } = await startAwaitingApproval();
  await ana.click('Approve', message);
  cara.react(YES, message);
  await reply('A-1001', /is cancelled/);
  const text = await metrics();
  expect({
    reaction: sample(text, 'votes_total{way="reaction",type="voted"}'),
    own: sample(text, 'refused_votes_total{reason="own_request"}'),
    decided: sample(text, 'decision_seconds_count{kind="cancel_order",choice="yes"}'),
  }).toEqual({ reaction: 1, own: 1, decided: 1 });
});

test('a refused token counts until the app is installed again, whichever replica was told of it', async () => {
  const harness = await startHarness({ installing: 'oauth' });
  await openBrowser(harness).install();
  const refused = async () => sample(await harness.metrics(), 'slack_tokens{state="refused"}');
  harness.slack.admin.revokeToken(SEED.team);
  await eventually(async () => expect(await refused()).toBe(1));
  const { installations } = await harness.terminal();
  const installed = await installations.get(SEED.team);
  if (installed) await installations.add(installed);
  await eventually(async () => expect(await refused()).toBe(0));
});
