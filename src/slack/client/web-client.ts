/** Slack's Web API client, the way that all of ours are made: a call is made once, and a 429 is an error like any other. */
import { webApi } from '@slack/bolt';
import type { SendHttp } from '../../http/exchange.ts';
import type { Logger } from './bolt-logger.ts';
import { createSlackFetch, type SlackFetchOptions } from './slack-fetch.ts';

export type SlackApi = { apiUrl: URL; logger: Logger; send: SendHttp };

/** What a client does beside sending its calls. */
export type Watch = Pick<SlackFetchOptions, 'admit' | 'mayWrite' | 'onLimited' | 'onRefused'>;

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
    // The SDK's ten retries over half an hour serve nobody here.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** @param token undefined for the methods that take none @param timeoutMs for each call */
export function webClient(
  token: string | undefined,
  api: SlackApi,
  timeoutMs: number,
  watch?: Watch,
): webApi.WebClient {
  return new webApi.WebClient(token, clientOptions(api, timeoutMs, watch));
}
