/** The core with the real messenger over the local Slack, on a fake clock: minutes pass without waiting. */
import { expect, onTestFinished } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import { type Slack, startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Log, NO_WAIT, unreplicated } from '../../../src/outbox/ports.ts';
import type { NewApproval } from '../../../src/requests/model/approval.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { RequestRecord } from '../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { Messenger, OrderCalls, RequestStore } from '../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { createTokenWatch } from '../../../src/slack/client/access.ts';
import { boltLogger, createSlackClients } from '../../../src/slack/client/clients.ts';
import { createLinks } from '../../../src/slack/client/links.ts';
import { createSlackRateLimits } from '../../../src/slack/client/rate-limits.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';
import { createMessenger, limitedEffect } from '../../../src/slack/messages/messenger.ts';

import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { databaseInMemory } from '../storage/empty-database.ts';
import { type AdvanceDeps, advanceRequest } from './advance-request.ts';
import { REQUEST, said, T0 } from './records.ts';

const { team: workspace, users, channels } = SEED;
const PACE = { postsPerMinute: 60 };

const SLACK_REQUEST = { ...REQUEST, workspace, requester: users.ana, channel: channels.support };

/** @param channel where the request is shown to its approver, in place of the channel of its card */
export function policyOf(channel?: string): Policy {
  return {
    approvers: { type: 'people', people: [users.cara] },
    ...(channel ? { shownIn: 'approvals_channel', channel } : { shownIn: 'where_requested' }),
    quorum: 1,
    emoji: { yes: 'white_check_mark', no: 'x' },
    expiresAfterMs: 3_600_000,
    reminds: false,
    mayWithdraw: true,
    setBy: users.olga,
  };
}

export type MessengerHarness = Awaited<ReturnType<typeof startMessengerHarness>>;

type Environment = {
  slack: Slack;
  clock: () => number;
  log: Log;
  isInstalled: () => boolean;
  effectTimeoutMs: number | undefined;
};

/** The bot's own messenger, with its rate limits. */
function createMessengerTo({ slack, clock, log, isInstalled, effectTimeoutMs }: Environment) {
  const dispatcher = createSlackAgent();
  onTestFinished(() => dispatcher.destroy());
  const { token: botToken, bot_user_id: botUserId } = slack.installation();
  const rateLimits = createSlackRateLimits(createRateLimiter(clock), PACE, log);
  const tokenWatch = createTokenWatch(log);
  const clients = createSlackClients(
    {
      find: async () => (isInstalled() ? { workspace, botToken, botUserId } : undefined),
      memberOf: async () => undefined,
    },
    {
      apiUrl: new URL(slack.apiUrl),
      logger: boltLogger(log),
      send: sendOver(dispatcher),
      rateLimits,
      tokenWatch,
      monotonic: clock,
      timeouts: effectTimeoutMs === undefined ? {} : { effect: effectTimeoutMs },
    },
  );
  const directory = createDirectory(clients, clock, tokenWatch);
  const messenger = createMessenger({
    clients,
    log,
    settings: async () => ({}),
    links: createLinks({ directory, log }),
    directory,
  });
  return { messenger, rateLimits };
}

type MessengerOptions = Partial<SlackOptions> & { effectTimeoutMs?: number; slackAheadMs?: number };

/**
 * @param options `slackAheadMs`: how far Slack's clock is ahead of the storage's
 * @param approval where the request needs one
 */
export async function startMessengerHarness(
  { effectTimeoutMs, slackAheadMs = 0, ...options }: MessengerOptions = {},
  approval?: NewApproval,
) {
  let now = T0;
  const clock = () => now;
  const journal = createJournal();
  const slack = await startSlack({
    journal,
    ...readManifest(),
    now: () => clock() + slackAheadMs,
    ...options,
  });
  onTestFinished(() => slack.close());
  const warnings: object[] = [];
  const note = (fields: object, message: string) => void warnings.push({ ...fields, message });
  const log: Log = { debug() {}, info: note, warn: note, error: note };
  let isInstalled = true;
  const to = { slack, clock, log, isInstalled: () => isInstalled, effectTimeoutMs };
  const { messenger, rateLimits } = createMessengerTo(to);
  const store: RequestStore = createSqliteRecordStore(databaseInMemory(), 'requests', RequestRecord, clock);
  const record = newRecord(SLACK_REQUEST, now, approval);
  await store.create(requestEntry(record, TIMINGS));
  const called: string[] = [];
  const calls: OrderCalls = {
    async carryOut({ target }) {
      called.push(target);
      return { answer: said('canceled', now) };
    },
  };
  const deps = (owner: string, over: Partial<AdvanceDeps> = {}): AdvanceDeps => ({
    store,
    recordEvent: async () => {},
    messenger,
    calls,
    inForce: async () => ({ settings: {}, version: undefined }),
    countApprovers: async (record) => record,
    replicated: unreplicated,
    timings: TIMINGS,
    claimMs: TIMINGS.claimMs,
    limit: async (each, effect) =>
      effect.type === 'call' ? NO_WAIT : rateLimits.takeForMainCall(limitedEffect(each, effect)),
    owner,
    log,
    sleep: async () => {},
    monotonic: clock,
    stopping: new AbortController().signal,
    ...over,
  });

  return {
    slack,
    journal,
    store,
    messenger,
    warnings,
    called,
    record,
    deps,
    clock,
    pass: (ms: number) => {
      now += ms;
    },
    uninstall: () => {
      isInstalled = false;
    },
    async read(): Promise<RequestRecord> {
      const found = await store.get(record);
      if (!found) throw new Error('no such record');
      return found.record;
    },
    /** Lets one process perform the effects that are due. @returns the milliseconds until the next one is due */
    advance: (owner = 'a process') => advanceRequest(deps(owner), record),
    /** Advances the clock, and lets a process perform what is due, until nothing is pending or this time has passed. */
    async play(longestMs = Number.POSITIVE_INFINITY): Promise<void> {
      const end = now + longestMs;
      for (let rounds = 0; rounds < 1_000; rounds++) {
        const ms = await advanceRequest(deps('a process'), record);
        if (ms === undefined || now + ms > end) return;
        now += ms;
      }
      throw new Error('the record never comes to rest');
    },
    /** Plays until a process has tidied, which ends before it can save the result. */
    async playUntilTidied(): Promise<void> {
      const death = new Error('The process has ended.');
      const ended = new AbortController();
      const tidy: Messenger['tidy'] = async (...given) => {
        await messenger.tidy(...given);
        ended.abort();
        throw death;
      };
      while (!ended.signal.aborted) {
        const mortal = deps('a mortal process', {
          messenger: { ...messenger, tidy },
          stopping: ended.signal,
        });
        now += await advanceRequest(mortal, record).then(
          (ms) => ms ?? 0,
          (error) => {
            if (error !== death) throw error;
            return 0;
          },
        );
      }
    },
    /** The messages in the channel that are about the request, whoever reads it. */
    cards: () => slack.messages('#support').filter(({ text }) => text.startsWith('Cancel order')),
    /** Posts messages of another person into the channel. */
    chatter(messages: number): void {
      for (let n = 0; n < messages; n++) slack.person('ben').say(`chatter ${n}`, { channel: '#support' });
    },
  };
}

/** The milliseconds after which a doubtful post has been searched for. */
export const LOOKED_FOR: number = TIMINGS.doubtMs + 5_000;

/** Plays until the request has two cards: the first one appears only after the bot has posted another one. */
export async function withTwoCards(harness: MessengerHarness): Promise<void> {
  const late = harness.slack.faults.schedule({
    on: 'chat.postMessage',
    fault: { type: 'hold', when: 'late' },
  });
  await harness.play(LOOKED_FOR);
  late.release();
  await expect.poll(() => harness.cards().length).toBe(2);
}
