import { App } from '@slack/bolt';
import { expect, onTestFinished } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import type { SocketOptions } from '../../../src/slack/transport/socket-connection.ts';
import {
  createSocketReceiver,
  LINK_TIMINGS,
  type LinkTimings,
} from '../../../src/slack/transport/socket-receiver.ts';
import { PATIENT } from '../../support/no-limits.ts';

/** Nothing is waited for as long as in real life. */
export const TIMINGS: LinkTimings = { ...LINK_TIMINGS, backoffMs: 10, longestBackoffMs: 20 };

type Options = {
  slack?: Partial<SlackOptions>;
  receiver?: Partial<SocketOptions & { timings: LinkTimings }>;
};

/** An event is sent again until somebody is there, however long a slow machine takes to be there. */
const REDELIVERIES = Array(500).fill(20);

/** A Slack on Socket Mode, and a bot of nothing but the receiver, which is not started yet. */
export async function open(register: (app: App) => void, options: Options = {}) {
  const journal = createJournal();
  const slack = await startSlack({ journal, redeliveryDelaysMs: REDELIVERIES, ...PATIENT, ...options.slack });
  slack.connectApp({ socketMode: true });
  const logged: { level: string; message: string; fields: object }[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, fields });
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const receiver = createSocketReceiver({
    appToken: slack.appToken,
    apiUrl: new URL(slack.apiUrl),
    logger: boltLogger(log),
    log,
    timings: TIMINGS,
    ...options.receiver,
  });
  const authorize = async () => ({ botToken: 'xoxb-1', botUserId: 'U0' });
  const app = new App({ receiver, authorize, logger: boltLogger(log), convoStore: false });
  app.error((error) => Promise.reject(error));
  register(app);
  onTestFinished(async () => {
    await receiver.stop();
    await slack.close();
    expect(JSON.stringify(logged)).not.toContain(slack.appToken);
  });

  const event = (text = 'Hello') =>
    slack.events.send(slack.installation(), { type: 'app_mention', channel: 'C1', user: 'U1', text });
  return {
    slack,
    journal,
    receiver,
    logged,
    event,
    command: () =>
      slack.sendCustom({ kind: 'command', body: { command: '/c', team_id: SEED.team, user_id: 'U1' } }),
    isReachable: receiver.isReachable,
    /** Resolves once a connection was greeted that was begun after this. */
    connected: (after: number) =>
      journal.waitFor(({ kind, name, processed }) => kind === 'socket' && name === 'connect' && !!processed, {
        after,
      }),
  };
}

export async function start(register: (app: App) => void = () => {}, options?: Options) {
  const harness = await open(register, options);
  await harness.receiver.start();
  return harness;
}
