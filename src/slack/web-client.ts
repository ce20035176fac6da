/** Slack's Web API client, the way that all of ours are made: a call is made once, and a 429 is an error like any other. */
import { webApi } from '@slack/bolt';
import type { Logger } from './bolt-logger.ts';

export type SlackApi = { apiUrl: URL; logger: Logger };

/** @param timeout milliseconds */
export function clientOptions({ apiUrl, logger }: SlackApi, timeout: number): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl.href,
    logger,
    timeout,
    // The SDK's ten retries over half an hour serve nobody here.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** @param token undefined for the methods that take none @param timeout milliseconds */
export function webClient(token: string | undefined, api: SlackApi, timeout: number): webApi.WebClient {
  return new webApi.WebClient(token, clientOptions(api, timeout));
}
