/** Slack's Web API clients: how long to wait, and what to do about a 429, is chosen here and nowhere else. */

import type { webApi } from '@slack/bolt';
import type { ClaimGuard, Log } from '../../requests/ports/ports.ts';
import type { RateLimiter } from '../../requests/ports/rate-limiter.ts';
import { logLostAccess } from './access.ts';
import { type Installation, type Installations, NotInstalledError } from './installations.ts';
import { bucketName, bucketOf, type MainCall, type Pace } from './rate-limits.ts';
import { NotSentError, type SlackCall } from './slack-fetch.ts';
import { clientOptions, type SlackApi, type Watch, webClient } from './web-client.ts';

/**
 * A person waits, and Slack for an answer, 3 s: two such calls in a row fit.
 */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/** Nobody waits, and the record is what repeats the call. Four in a row fit into half of a claim. */
const EFFECT_TIMEOUT_MS = 7_000;
/** They are small, but nobody knows how many workspaces there will be. */
const MOST_CLIENTS = 10_000;

/** What calls are made for under a claim. */
export type SlackEffect = {
  workspace: string;
  /** Names what it is for in the log. */
  about: object;
  /** Waits in the queues of Slack's limits. */
  who: string;
  /** What was taken before the effect was claimed. */
  main: MainCall;
  guard: ClaimGuard;
  /** Whether everything else goes before it. */
  yields?: boolean;
};

export type SlackClients = {
  /** For Bolt, which makes clients of its own for its listeners. */
  options: webApi.WebClientOptions;
  /** @throws NotInstalledError */
  installation(workspace: string, organization?: string): Promise<Installation>;
  interactive(workspace: string): Promise<webApi.WebClient>;
  /** The same for listeners, for which Bolt has found the token already. */
  withToken(workspace: string, botToken: string): webApi.WebClient;
  /**
   * Its calls wait for Slack's limits, and none is written once the claim does not cover it any more: then they fail with
   * a NotSentError.
   */
  forEffect(effect: SlackEffect): Promise<webApi.WebClient>;
};

type Deps = SlackApi & {
  limiter: Pick<RateLimiter, 'take' | 'pause'>;
  pace: Pace;
  log: Log;
  effectTimeoutMs?: number | undefined;
};

export function createSlackClients(installations: Pick<Installations, 'find'>, deps: Deps): SlackClients {
  const { limiter, pace, log, effectTimeoutMs = EFFECT_TIMEOUT_MS, ...api } = deps;
  const made = new Map<string, { botToken: string; client: webApi.WebClient }>();

  async function installation(workspace: string, organization?: string): Promise<Installation> {
    const found = await installations.find(workspace, organization);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  /** A 429 pauses the method that it was given for, and nothing else. A lost access is an error in the log. */
  const watching = (workspace: string): Watch => ({
    onRefused: ({ method }, refusal) => logLostAccess(log, { workspace, method }, refusal),
    onLimited: async ({ method, channel }, retryAfterMs) => {
      log.warn({ workspace, method, retryAfterMs }, 'Slack asked to slow down');
      const name = bucketName(method, channel);
      await limiter.pause({ workspace, name }, retryAfterMs, 'rate_limited').catch((err) => {
        log.warn({ workspace, method, err }, 'the pause was not noted');
      });
    },
  });

  function admitting({ workspace, who, main, yields }: SlackEffect): (call: SlackCall) => Promise<void> {
    let isPaid = true;
    return async ({ method, channel }) => {
      if (isPaid && method === main.method) {
        isPaid = false;
        return;
      }
      const bucket = bucketOf(workspace, method, channel, pace);
      if (!bucket) return;
      const { ms } = await limiter.take(bucket, `${who} ${method}`, yields);
      if (ms > 0) throw new NotSentError('ratelimited', { retryAfterMs: ms });
    };
  }

  function withToken(workspace: string, botToken: string): webApi.WebClient {
    const known = made.get(workspace);
    if (known?.botToken === botToken) return known.client;
    if (made.size >= MOST_CLIENTS) made.clear();
    const client = webClient(botToken, api, INTERACTIVE_TIMEOUT_MS, watching(workspace));
    made.set(workspace, { botToken, client });
    return client;
  }

  return {
    installation,
    options: clientOptions(api, INTERACTIVE_TIMEOUT_MS),
    interactive: async (workspace) => withToken(workspace, (await installation(workspace)).botToken),
    withToken,
    async forEffect(effect) {
      const { workspace, guard } = effect;
      const { botToken } = await installation(workspace);
      const watch = { ...watching(workspace), admit: admitting(effect), mayWrite: guard.inTime };
      return webClient(botToken, api, effectTimeoutMs, watch);
    },
  };
}
