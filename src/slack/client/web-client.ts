/** Creates Slack's Web API client without retries: a call is made once, and a 429 is an error like any other. */
import { webApi } from '@slack/bolt';
import type { SendHttp } from '../../http/exchange.ts';
import type { Logger } from './bolt-logger.ts';
import { createSendCall, createSlackFetch, type SendCall, type SlackFetchOptions } from './slack-fetch.ts';

/** The network as seen from here. `client`: takes the place of the SDK's own client in the simulation (test/simulate). */
export type SlackNetwork = {
  send: SendHttp;
  client?: (token: string | undefined, sendCall: SendCall) => webApi.WebClient;
};

export type SlackApi = SlackNetwork & { apiUrl: URL; logger: Logger };

/** Hooks of a client around its calls. */
export type Watch = Pick<SlackFetchOptions, 'admit' | 'mayWrite' | 'onAnswer'>;

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
