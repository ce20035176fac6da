/**
 * Creates Slack's Web API clients: for people who wait, and for effects, which keep to the rate limits. None retries: a
 * call is made once, and a 429 is an error like any other.
 */

import { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { SendHttp } from '../../http/exchange.ts';
import type { ClaimGuard, Log } from '../../requests/ports/ports.ts';
import { logLostAccess } from './access.ts';
import type { Logger } from './bolt-logger.ts';
import { type Installation, type Installations, NotInstalledError } from './installations.ts';
import type { LimitedEffect, SlackRateLimits } from './rate-limits.ts';
import { createSendCall, createSlackFetch, type SendCall, type SlackFetchOptions } from './slack-fetch.ts';

/** A person waits, and Slack waits 3 s for an answer: two such calls in a row fit. */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/** Nobody waits, and the record repeats the call. Four in a row fit into half of a claim. */
const EFFECT_TIMEOUT_MS = 7_000;
/** The limit of cached clients: they are small, but the number of workspaces is unknown. */
const MOST_CLIENTS = 10_000;

/** An effect whose calls are covered by a claim. */
export type SlackEffect = LimitedEffect & {
  /** Log fields of the effect. */
  about: object;
  guard: ClaimGuard;
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
  rateLimits: SlackRateLimits;
  log: Log;
  effectTimeoutMs?: number | undefined;
};

export function createSlackClients(installations: Pick<Installations, 'find'>, deps: Deps): SlackClients {
  const { rateLimits, log, effectTimeoutMs = EFFECT_TIMEOUT_MS, ...api } = deps;
  const made = createCache<{ botToken: string; client: webApi.WebClient }>(MOST_CLIENTS);

  async function installation(workspace: string, organization?: string): Promise<Installation> {
    const found = await installations.find(workspace, organization);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  const watching = (workspace: string): Watch => ({
    onAnswer: async (call, answer) => {
      logLostAccess(log, { workspace, method: call.method }, answer);
      await rateLimits.pauseAfter(workspace, call, answer);
    },
  });

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
      const admit = rateLimits.takeForOtherCalls(effect);
      const watch = { ...watching(workspace), admit, inTime: guard.inTime };
      return webClient(botToken, api, effectTimeoutMs, watch);
    },
  };
}

/** The network as seen from here. `client`: takes the place of the SDK's own client in the simulation (test/simulate). */
export type SlackNetwork = {
  send: SendHttp;
  client?: (token: string | undefined, sendCall: SendCall) => webApi.WebClient;
};

export type SlackApi = SlackNetwork & { apiUrl: URL; logger: Logger };

/** Hooks of a client around its calls. */
type Watch = Pick<SlackFetchOptions, 'admit' | 'inTime' | 'onAnswer'>;

/** @param timeoutMs for each call */
export function clientOptions(
  { apiUrl, logger, send }: SlackApi,
  timeoutMs: number,
  watch: Watch = {},
): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl.href,
    logger,
    fetch: createSlackFetch({ send, timeoutMs, ...watch }),
    // The SDK's ten retries over half an hour are useless here.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** @param token undefined for methods without one @param timeoutMs for each call */
export function webClient(
  token: string | undefined,
  api: SlackApi,
  timeoutMs: number,
  watch?: Watch,
): webApi.WebClient {
  const { client, send } = api;
  if (client) return client(token, createSendCall({ send, timeoutMs, ...watch }));
  return new webApi.WebClient(token, clientOptions(api, timeoutMs, watch));
}
