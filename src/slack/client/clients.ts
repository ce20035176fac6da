/**
 * Creates Slack's Web API clients: for people who wait, for their pages, and for effects, which keep to the rate limits. None
 * retries: a call is made once, and a 429 is an error like any other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, LogLevel, type types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { HttpAnswer, SendHttp } from '../../http/exchange.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import { createTokenWatch, type TokenWatch } from './access.ts';
import { type Installation, type Installations, NotInstalledError } from './installations.ts';
import type { LimitedEffect, SlackRateLimits } from './rate-limits.ts';
import {
  type Admission,
  createSendCall,
  createSlackFetch,
  NotSentError,
  type SendCall,
  type SlackCall,
  type SlackFetchOptions,
} from './slack-fetch.ts';

/** A person waits, and Slack waits 3 s for an answer: two such calls in a row fit. */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/** Nobody waits, and the record repeats the call. Four in a row fit into half of a claim. */
const EFFECT_TIMEOUT_MS = 7_000;
/** The limit of cached clients, of 26 KB each: the number of workspaces is unknown. */
const MOST_CLIENTS = 1_000;

/** An effect whose calls are covered by a claim. */
export type SlackEffect = LimitedEffect & {
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
   * Calls Slack for an effect. The calls of `act` respect Slack's limits, and none is written after the claim has expired:
   * they then fail with a NotSentError. @throws NotInstalledError; what `act` throws
   */
  forEffect<T>(effect: SlackEffect, act: (client: webApi.WebClient) => Promise<T>): Promise<T>;
};

type Deps = SlackApi & {
  rateLimits: SlackRateLimits;
  log: Log;
  /** Left out: one of these clients alone. */
  tokenWatch?: TokenWatch;
  effectTimeoutMs?: number | undefined;
};

export function createSlackClients(installations: Pick<Installations, 'find'>, deps: Deps): SlackClients {
  const { rateLimits, log, tokenWatch = createTokenWatch(log), ...rest } = deps;
  const { effectTimeoutMs = EFFECT_TIMEOUT_MS, ...api } = rest;
  /** The effect whose calls are being made. It goes beside them, since the SDK's methods have no parameter for it. */
  const ofEffect = new AsyncLocalStorage<Admission & { main: SlackCall }>();

  async function installation(workspace: string, organization?: string): Promise<Installation> {
    const found = await installations.find(workspace, organization);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  const onAnswer =
    (workspace: string) =>
    async (call: SlackCall, answer: HttpAnswer): Promise<void> => {
      tokenWatch.learn({ workspace, method: call.method }, answer);
      await rateLimits.pauseAfter(workspace, asTaken(call), answer);
    };

  /** A direct message goes to a channel, and its token is that of the person: others for that person have to wait, too. */
  function asTaken(call: SlackCall): SlackCall {
    const main = ofEffect.getStore()?.main;
    return main?.method === call.method ? main : call;
  }

  const withToken = keepClients((workspace, botToken) =>
    webClient(botToken, api, INTERACTIVE_TIMEOUT_MS, { onAnswer: onAnswer(workspace) }),
  );
  const ofEffects = keepClients((workspace, botToken) =>
    webClient(botToken, api, effectTimeoutMs, {
      onAnswer: onAnswer(workspace),
      admission() {
        const admission = ofEffect.getStore();
        if (!admission) throw new Error('A client of effects was used outside of one.');
        return admission;
      },
    }),
  );

  return {
    installation,
    options: clientOptions(api, INTERACTIVE_TIMEOUT_MS),
    interactive: async (workspace) => withToken(workspace, (await installation(workspace)).botToken),
    withToken,
    async forEffect(effect, act) {
      const { workspace, guard } = effect;
      const { botToken } = await installation(workspace);
      const { main } = effect;
      const admission = { admit: rateLimits.takeForOtherCalls(effect), inTime: guard.inTime, main };
      return ofEffect.run(admission, () => act(ofEffects(workspace, botToken)));
    },
  };
}

type GetClient = (workspace: string, botToken: string) => webApi.WebClient;

/** Keeps a client for each workspace, until its token changes: to make one, the SDK binds three hundred methods. */
function keepClients(create: GetClient): GetClient {
  const made = createCache<{ botToken: string; client: webApi.WebClient }>(MOST_CLIENTS);
  return (workspace, botToken) => {
    const known = made.get(workspace);
    if (known?.botToken === botToken) return known.client;
    const client = create(workspace, botToken);
    made.set(workspace, { botToken, client });
    return client;
  };
}

/** The network as seen from here. `client`: takes the place of the SDK's own client in the simulation (test/simulate). */
export type SlackNetwork = {
  send: SendHttp;
  client?: (token: string | undefined, sendCall: SendCall) => webApi.WebClient;
};

export type SlackApi = SlackNetwork & { apiUrl: URL; logger: Logger };

/** Hooks of a client around its calls. */
type Watch = Pick<SlackFetchOptions, 'admission' | 'onAnswer'>;

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
    // A queue would let one call begin in the context of another, and hold it beyond its deadline.
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
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

export type { Logger };

/** The line of the client about each call that fails: the caller logs the failure, too. */
const isOfOneCall = ([first]: unknown[]): boolean => /^http request failed/.test(String(first));

/** Debug lines of Bolt and of the Web API client hold whole requests with secrets, so they are dropped. */
export function boltLogger(log: Log): Logger {
  const line = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug() {},
    info: (...parts) => log.debug({ from: 'bolt' }, line(parts)),
    warn: (...parts) => log[isOfOneCall(parts) ? 'debug' : 'warn']({ from: 'bolt' }, line(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, line(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}

/** @throws if Slack refuses the page, or too many wait */
export type PublishView = (workspace: string, user: string, view: types.HomeView) => Promise<void>;

/** A person who opened the page has left it by then, or pressed Refresh. */
const LONGEST_WAIT_MS = 10_000;

/** Publishes the pages of people within Slack's limit, in turn with the others of their workspace. */
export function createPublishView(
  clients: Pick<SlackClients, 'interactive'>,
  rateLimits: Pick<SlackRateLimits, 'takeForMainCall'>,
  { sleep, monotonic }: Pick<Runtime, 'sleep' | 'monotonic'>,
): PublishView {
  return async (workspace, user, view) => {
    const began = monotonic();
    const turn = { workspace, who: `home ${user}`, main: { method: 'views.publish', channel: '' } };
    for (;;) {
      const { ms } = await rateLimits.takeForMainCall(turn);
      if (ms === 0) break;
      if (monotonic() - began + ms > LONGEST_WAIT_MS)
        throw new NotSentError('ratelimited', { retryAfterMs: ms });
      await sleep(ms);
    }
    const client = await clients.interactive(workspace);
    await client.views.publish({ user_id: user, view });
  };
}
