/**
 * Creates Slack's Web API clients: for people who wait, for their Home tabs, and for effects, which keep to the rate limits. No
 * client retries: a call is made once, and a 429 is an error like any other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, LogLevel, type types, webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { HttpAnswer, SendHttp } from '../../http/exchange.ts';
import type { ClaimGuard, Log } from '../../outbox/ports.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import type { TokenWatch } from './access.ts';
import { type AnswerAge, type Installation, type Installations, NotInstalledError } from './installation.ts';
import type { LimitedEffect, SlackRateLimits } from './rate-limits.ts';
import { createSlackClock } from './slack-clock.ts';
import {
  type Admission,
  createSendCall,
  createSlackFetch,
  NotSentError,
  type SendCall,
  type SlackCall,
  type SlackFetchOptions,
} from './slack-fetch.ts';

/** Milliseconds for one call. Only tests change them. */
const TIMEOUTS = {
  /** A person waits, and Slack waits 3 s for an answer: two such calls in a row fit. */
  interactive: 1_200,
  /** Nobody waits, and the record repeats the call: four such calls in a row fit into half of a claim. */
  effect: 7_000,
};
export type SlackTimeouts = typeof TIMEOUTS;

/** The limit of cached clients, of 26 KB each: the number of workspaces is unknown. */
const MOST_CLIENTS = 1_000;

/** A claimed effect. `about`: fields for the log. */
export type SlackEffect = LimitedEffect & {
  about: object;
  guard: ClaimGuard;
};

export type SlackClients = {
  /** Options for the clients that Bolt creates for its listeners. */
  options: webApi.WebClientOptions;
  /** @throws NotInstalledError */
  installation(workspace: string, organization?: string, age?: AnswerAge): Promise<Installation>;
  memberOf: Installations['memberOf'];
  /** The time by Slack's clock, epoch milliseconds; undefined if no answer has told it yet. */
  slackNow(): number | undefined;
  /** The client for a person who waits. @throws NotInstalledError */
  interactive(workspace: string): Promise<webApi.WebClient>;
  withToken(workspace: string, botToken: string): webApi.WebClient;
  /**
   * Calls Slack for an effect. The calls of `act` respect Slack's limits, and none is written after the claim has expired:
   * they then fail with a NotSentError.
   *
   * @throws NotInstalledError; what `act` throws
   */
  forEffect<T>(effect: SlackEffect, act: (client: webApi.WebClient) => Promise<T>): Promise<T>;
};

type Deps = SlackApi & {
  rateLimits: SlackRateLimits;
  tokenWatch: TokenWatch;
  monotonic: () => number;
  timeouts?: Partial<SlackTimeouts> | undefined;
};

export function createSlackClients(
  installations: Pick<Installations, 'find' | 'memberOf'>,
  deps: Deps,
): SlackClients {
  const { rateLimits, tokenWatch, monotonic, timeouts, ...network } = deps;
  const clock = createSlackClock(network.send, monotonic);
  const api = { ...network, send: clock.send };
  const timeoutsMs = { ...TIMEOUTS, ...timeouts };
  /** The effect whose calls are being made. It is passed beside them, because the SDK's methods have no parameter for it. */
  const currentEffect = new AsyncLocalStorage<Admission & { main: SlackCall }>();

  /**
   * The function that admits the calls of an effect, by its claim: the effect may call Slack in several steps, and all its calls
   * are counted together.
   */
  const admissions = new WeakMap<ClaimGuard, Admission['admit']>();

  function admitUnder(effect: SlackEffect): Admission['admit'] {
    const admit = admissions.get(effect.guard) ?? rateLimits.takeForOtherCalls(effect);
    admissions.set(effect.guard, admit);
    return admit;
  }

  /** By workspace, the organization whose token it was last found to use. */
  const servedBy = createCache<string>(MOST_CLIENTS);

  const installation: SlackClients['installation'] = async (workspace, organization, age) => {
    const found = await installations.find(workspace, organization, age);
    if (!found) throw new NotInstalledError(workspace);
    if (found.organization === undefined) servedBy.delete(workspace);
    else servedBy.set(workspace, found.organization);
    return found;
  };

  const onAnswer =
    (workspace: string) =>
    async (call: SlackCall, answer: HttpAnswer): Promise<void> => {
      tokenWatch.learn({ workspace, organization: servedBy.get(workspace), method: call.method }, answer);
      await rateLimits.pauseAfter(workspace, asLimited(call), answer);
    };

  /**
   * The call as its token was taken: a direct message is posted in a channel, but its token is taken under the person's id, so a
   * 429 must pause the bucket of that person.
   */
  function asLimited(call: SlackCall): SlackCall {
    const main = currentEffect.getStore()?.main;
    return main?.method === call.method ? main : call;
  }

  const withToken = keepClients((workspace, botToken) =>
    webClient(botToken, api, timeoutsMs.interactive, { onAnswer: onAnswer(workspace) }),
  );
  const effectClient = keepClients((workspace, botToken) =>
    webClient(botToken, api, timeoutsMs.effect, {
      onAnswer: onAnswer(workspace),
      admission() {
        const admission = currentEffect.getStore();
        if (!admission) throw new Error('A client for effects was used outside of an effect.');
        return admission;
      },
    }),
  );

  return {
    installation,
    memberOf: installations.memberOf,
    slackNow: clock.now,
    options: clientOptions(api, timeoutsMs.interactive),
    interactive: async (workspace) => withToken(workspace, (await installation(workspace)).botToken),
    withToken,
    async forEffect(effect, act) {
      const { workspace, guard, main } = effect;
      const { botToken } = await installation(workspace);
      const admission = { admit: admitUnder(effect), inTime: guard.inTime, main };
      return currentEffect.run(admission, () => act(effectClient(workspace, botToken)));
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

/** Sends the calls. `client`: takes the place of the SDK's own client in the simulation (test/simulate). */
export type SlackNetwork = {
  send: SendHttp;
  client?: (token: string | undefined, sendCall: SendCall) => webApi.WebClient;
};

export type SlackApi = SlackNetwork & { apiUrl: URL; logger: Logger };

type Hooks = Pick<SlackFetchOptions, 'admission' | 'onAnswer'>;

export function clientOptions(
  { apiUrl, logger, send }: SlackApi,
  timeoutMs: number,
  hooks: Hooks = {},
): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl.href,
    logger,
    fetch: createSlackFetch({ send, timeoutMs, ...hooks }),
    // The SDK's ten retries over half an hour are useless here.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    // A queue would let one call begin in the context of another, and hold it beyond its deadline.
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
    allowAbsoluteUrls: false,
  };
}

/** Creates a client that retries nothing. @param token undefined for methods without a token @param timeoutMs for each call */
export function webClient(
  token: string | undefined,
  api: SlackApi,
  timeoutMs: number,
  hooks?: Hooks,
): webApi.WebClient {
  const { client, send } = api;
  if (client) return client(token, createSendCall({ send, timeoutMs, ...hooks }));
  return new webApi.WebClient(token, clientOptions(api, timeoutMs, hooks));
}

/** Whether a line of the client is about one call that failed: the caller logs the failure, too. */
const isOfOneCall = ([first]: unknown[]): boolean => /^http request failed/.test(String(first));

/** Passes on what the SDK logs, except its debug lines, which hold whole requests with secrets. */
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

/** Publishes a person's Home tab. @throws if Slack refuses the view, or too many wait */
export type PublishView = (workspace: string, user: string, view: types.HomeView) => Promise<void>;

/** The longest wait for a turn: after it, the person who opened the Home tab has left it or pressed Refresh. */
const LONGEST_WAIT_MS = 10_000;

/** Creates the function that publishes Home tabs within Slack's limit: those of a workspace take turns. */
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
