/** A bot as a process, while somebody who can sign nothing sends it as much as they can. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { createStaller, signedBy } from '../../support/processes/strangers.ts';
import { temporaryFolder } from '../../support/storage/stores.ts';
import { openProcessHarness } from '../support/harness.ts';

const MB = 1024 * 1024;
const STALLED = 2_000;
/** A bot that kept their bodies would grow by more than it may. */
const [POSTS, POST_BYTES] = [6_000, 20_000];
/** As `npm start` has them. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];
/** Posts at a time, and between two commands. */
const [AT_ONCE, BETWEEN] = [50, 200];

const peakMb = (pid = 0) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test.runIf(process.platform === 'linux')(
  'answers every signed command, and grows by less than 60 MB, while 2,000 connections stall and 6,000 unsigned posts come',
  async () => {
    const port = await freePort();
    const { start, slack } = await openProcessHarness(port);
    const storage = { STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` };
    const bot = await start(port, storage, NODE_FLAGS);
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    onTestFinished(() => agent.destroy());
    const url = `http://127.0.0.1:${port}/slack/events`;
    const post = (body: string, headers: Record<string, string>, over: Agent | false = agent) =>
      new Promise<number | undefined>((resolve) => {
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        httpRequest(url, { method: 'POST', agent: over, headers: { ...form, ...headers } }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        })
          // A connection that was idle may be closed while something is sent on it.
          .once('error', () => resolve(undefined))
          .end(body);
      });
    const fields = { command: '/countermand', text: 'help', team_id: SEED.team, user_id: SEED.users.ana };
    const signed = new URLSearchParams({ ...fields, trigger_id: '1' }).toString();
    const command = () => post(signed, signedBy(signed, slack.signingSecret), false);

    for (let n = 0; n < 40; n++) await Promise.all(Array.from({ length: AT_ONCE }, command));
    const rest = peakMb(bot.child.pid);
    const staller = createStaller(port);
    onTestFinished(staller.close);
    // All of a body but its end.
    staller.fillUp(STALLED, { sent: MB - 1, announced: MB });
    await expect.poll(staller.accepted).toBe(STALLED);
    const refused = new Set<number | undefined>();
    const statuses: (number | undefined)[] = [];
    const unsigned = Buffer.alloc(POST_BYTES, 'x').toString();
    for (let sent = 0; sent < POSTS; sent += BETWEEN) {
      let left = BETWEEN;
      const sender = async () => {
        while (left-- > 0) refused.add(await post(unsigned, left % 2 ? {} : signedBy('')));
      };
      const [status] = await Promise.all([command(), ...Array.from({ length: AT_ONCE }, sender)]);
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    refused.delete(undefined);
    expect(refused).toEqual(new Set([401]));
    expect(peakMb(bot.child.pid) - rest).toBeLessThan(60);
  },
);
