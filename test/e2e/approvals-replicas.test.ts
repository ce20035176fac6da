import { expect, onTestFinished, test } from 'vitest';
import { appAddress } from '../../sandbox/environment.ts';
import { freePort } from '../../sandbox/lib/free-port.ts';
import { createApp } from '../../src/app.ts';
import { createLogger } from '../../src/log.ts';
import { TIMINGS } from '../../src/requests/agenda.ts';
import { type Approvals, askedForApproval } from '../support/approvals.ts';

/** A second bot over the same storage. What Slack sends from now on goes to it or, over sockets, to either of them. */
async function startAnother({ config, slack, logged }: Approvals) {
  const port = await freePort();
  const log = createLogger({ level: 'info', pretty: false }, logged.stream);
  const app = createApp({ ...config, port }, log, { timings: { ...TIMINGS, doubtMs: 100 } });
  await app.start();
  onTestFinished(app.stop);
  return () => slack.connectApp(appAddress(port));
}

test('votes that race on two bots over one storage give one decision, one call and one announcement', async () => {
  const desk = await askedForApproval();
  const useOther = await startAnother(desk);
  const looksUp = (user: string) =>
    desk.slack.faults.order({ on: 'users.info', where: { user }, fault: { type: 'hold', when: 'before' } });
  const [first, second] = [looksUp(desk.cara.id), looksUp(desk.dev.id)];
  const votes = [desk.cara.click('Approve', desk.message)];
  await first.reached;
  useOther();
  votes.push(desk.dev.click('Approve', desk.message));
  await second.reached;
  first.release();
  second.release();
  await Promise.all(votes);
  await desk.reply('A-1001', /is cancelled/);
  expect(desk.calls()).toBe(1);
  const replies = await desk.replies('A-1001');
  expect(replies).toEqual([
    expect.stringMatching(/^Approved by <@\w+>\./),
    expect.stringContaining('is cancelled'),
  ]);
  const { approval } = await desk.record('A-1001');
  expect(approval?.decision?.by).toHaveLength(1);
});
