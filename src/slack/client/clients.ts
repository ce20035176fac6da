/**
 * Creates Slack's Web API clients, with their time-outs and the pause that a 429 asks for. failure.ts classifies the
 * refused call, and the record of its effect schedules the next try.
 */

import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { ClaimGuard, Log } from '../../requests/ports/ports.ts';
import type { RateLimiter } from '../../requests/ports/rate-limiter.ts';
import { logLostAccess } from './access.ts';
import { type Installation, type Installations, NotInstalledError } from './installations.ts';
import { bucketName, bucketOf, type MainCall, type Pace } from './rate-limits.ts';
import { NotSentError, type SlackCall } from './slack-fetch.ts';
import { clientOptions, type SlackApi, type Watch, webClient } from './web-client.ts';

/** A person waits, and Slack waits 3 s for an answer: two such calls in a row fit. */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/** Nobody waits, and the record repeats the call. Four in a row fit into half of a claim. */
const EFFECT_TIMEOUT_MS = 7_000;
/** The limit of cached clients: they are small, but the number of workspaces is unknown. */
const MOST_CLIENTS = 10_000;

/** An effect whose calls are covered by a claim. */
export type SlackEffect = {
  workspace: string;
  /** Log fields of the effect. */
  about: object;
  /** Identifies the effect in the queues of the rate limits. */
  who: string;
  /** The call whose token was taken before the claim. */
  main: MainCall;
  guard: ClaimGuard;
  /** Whether all other calls take precedence. */
  yields?: boolean;
};

export type SlackClients = {
  /** Options for the clients that Bolt creates for its listeners. */
  options: webApi.WebClientOptions;
  /** @throws NotInstalledError */
  installation(workspace: string, organization?: string): Promise<Installation>;
  interactive(workspace: string): Promise<webApi.WebClient>;
  /** The same for listeners, whose token Bolt has already found. */
  withToken(workspace: string, botToken: string): webApi.WebClient;
  /**
   * Creates a client for an effect. Its calls respect Slack's limits, and none is written after the claim has expired:
   * they then fail with a NotSentError.
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
  const made = createCache<{ botToken: string; client: webApi.WebClient }>(MOST_CLIENTS);

  async function installation(workspace: string, organization?: string): Promise<Installation> {
    const found = await installations.find(workspace, organization);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  /** Reacts to answers: a 429 pauses only its own method, and a lost access is logged as an error. */
  const watching = (workspace: string): Watch => ({
    onRefused: ({ method }, refusal) => logLostAccess(log, { workspace, method }, refusal),
    onLimited: async ({ method, channel }, retryAfterMs) => {
      log.warn({ workspace, method, retryAfterMs }, 'Slack asked to slow down');
      const name = bucketName(method, channel);
      await limiter.pause({ workspace, name }, retryAfterMs, 'rate_limited').catch((err) => {
        log.warn({ workspace, method, err }, 'pause not recorded');
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
