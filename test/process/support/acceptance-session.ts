/**
 * The session of docs/acceptance.md, played in a local Slack: `npm run record` records it as it would record one in a real
 * workspace.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { appAddress, botEnvironment, type Transport } from '../../../sandbox/environment.ts';
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import { startBot } from '../../../sandbox/lib/bot-process.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { type Slack, startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { NO_LIMITS, NO_PACE, PATIENT } from '../../support/no-limits.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';

const { team, users } = SEED;
export const REASON = 'Zanzibar ordered it for a surprise';
const TEST = '#countermand-test';
const APPROVALS = '#countermand-approvals';

/** A busy bot refuses a reaction until the location of its message is stored. Slack's own second redelivery takes a minute. */
const REDELIVERIES = { redeliveryDelaysMs: Array(300).fill(100) };

/** @returns the folder of the recording, its timeline, and what the recorder has printed */
export async function recordAcceptance(transport: Transport) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({
    journal,
    ...readManifest(),
    limits: NO_LIMITS,
    ...PATIENT,
    ...REDELIVERIES,
  });
  const [port, out] = [await freePort(), temporaryFolder()];
  const env: Record<string, string> = {
    ...botEnvironment({ slack, service }, { port, transport }),
    ...NO_PACE,
  };
  const recorder = startBot('sandbox/record/main.ts', env, ['--out', out], 'Ready. Ctrl+C ends it.');
  onTestFinished(async () => {
    await recorder.kill();
    await slack.close();
    await service.close();
  });
  await recorder.ready;
  slack.connectApp(appAddress(port, transport));
  await play(slack, /called at (\S+)/.exec(recorder.output())?.[1] ?? '');
  await recorder.kill('SIGINT');
  const lines = readFileSync(join(out, 'timeline.jsonl'), 'utf8').trim().split('\n');
  const timeline = lines.map((line) => JSON.parse(line)).sort((one, other) => one.n - other.n);
  return { slack, out, timeline, printed: recorder.output() };
}

/** Plays the steps, whose numbers are those of docs/acceptance.md. @param apiUrl Slack's API, behind the recorder */
async function play(slack: Slack, apiUrl: string): Promise<void> {
  const [a, b] = [slack.person('olga'), slack.person('cara')];
  const { bot_user_id: bot, token } = slack.installation();
  const members = [users.olga, users.cara];
  const test = slack.admin.addChannel({ team_id: team, name: TEST.slice(1), members }).id;
  const name = APPROVALS.slice(1);
  const approvals = slack.admin.addChannel({ team_id: team, name, kind: 'private', members }).id;
  slack.admin.invite(approvals, bot);

  const cancelOrder = async (order: string) => {
    await a.command(`/cancel-order ${order} ${REASON}`, { channel: TEST });
    await a.waitForModal();
    await a.submit();
  };
  const approvalMessage = (order: string) => slack.waitForMessage({ channel: APPROVALS, text: order });
  const reply = (text: RegExp) => slack.waitForMessage({ channel: TEST, text });

  // 1, 3, 4
  await a.command('/countermand help', { channel: TEST });
  await a.command('/countermand connect', { channel: TEST });
  await a.waitForModal({ callback: 'connect' });
  await a.submit({ token: SEED_TOKENS.acme.rest });
  await a.waitForModal({ text: 'is connected' });
  await a.closeModal();
  await cancelOrder('A-1001');
  await reply(/Order A-1001 is cancelled/);
  // 5
  await a.command('/countermand settings', { channel: TEST });
  const settings = await a.waitForModal({ callback: 'settings' });
  await a.click('Change the approval for: Cancel an order');
  await a.waitForModal({ callback: 'policy' });
  await fillPolicy(a, { approvers: 'channel', shown_in: 'approvals_channel', approvals_channel: approvals });
  await a.search('emoji_yes', 'thumbsup');
  await a.submit({ emoji_yes: ':+1: +1' });
  await a.waitForModal({ text: 'Saved.' });
  await a.closeModal();
  await a.waitForModal(
    ({ callback_id, view }) => callback_id === 'settings' && view.hash !== settings.view.hash,
  );
  await a.closeModal();
  // 6
  await cancelOrder('A-1002');
  b.react('+1', await approvalMessage('A-1002'));
  await reply(/Order A-1002 is cancelled/);
  // 7, 8, 9
  await cancelOrder('A-1003');
  const third = await approvalMessage('A-1003');
  a.react('+1', third);
  await a.waitForEphemeral();
  for (let n = 0; n < 5; n++) {
    b.react('eyes', third);
    b.unreact('eyes', third);
  }
  b.react('+1::skin-tone-5', third);
  await reply(/Order A-1003 is cancelled/);
  // 10
  await cancelOrder('A-1004');
  await b.click('Decline', await approvalMessage('A-1004'));
  await b.waitForModal({ callback: 'decline' });
  await b.submit({ reason: 'It was shipped' });
  await reply(/declined the request, and nothing was sent/);
  // 11, 12: the dialog is Slack's own, of a button that is gone by then
  await cancelOrder('A-1005');
  await approvalMessage('A-1005');
  slack.admin.archive(test);
  await a.waitForDirectMessage(({ text }) => /A-1005.*nothing was sent/.test(text));
  slack.admin.unarchive(test);
  for (const user of members) slack.admin.invite(test, user);
  // 13, 14
  await cancelOrder('A-1006');
  await approvalMessage('A-1006');
  slack.admin.kick(approvals, users.cara);
  slack.admin.kick(approvals, bot);
  await cancelOrder('A-1007');
  await a.waitForDirectMessage(({ text }) => /cannot see the approvals channel/.test(text));
  // 15
  slack.faults.schedule({ on: 'usergroups.list', fault: { type: 'rate_limit', retryAfterSeconds: 30 } });
  for (const call of ['usergroups.list', 'users.conversations?limit=2'])
    await fetch(new URL(call, apiUrl), { headers: { authorization: `Bearer ${token}` } });
  // 16
  slack.admin.uninstall(team);
  await Promise.all(slack.events.list().map(({ settled }) => settled));
}
