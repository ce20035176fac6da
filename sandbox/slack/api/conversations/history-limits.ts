import type { AppSettings } from '../../world/app-settings.ts';

/**
 * Limits on reading messages for apps that are distributed commercially outside the Marketplace, by method and workspace:
 * one call a minute, and 15 objects a page whatever is asked for ("the maximum and default values for the limit parameter
 * have both been reduced to 15 objects", https://docs.slack.dev/reference/methods/conversations.history).
 * @see https://docs.slack.dev/apis/web-api/rate-limits
 */
const LIMITED = { methods: ['conversations.history', 'conversations.replies'], perMinute: 1, objects: 15 };

/** Returns the calls a minute that an app has of a method, if its distribution limits them. */
export const limitedPerMinute = ({ outsideMarketplace }: AppSettings, method: string): number | undefined =>
  outsideMarketplace && LIMITED.methods.includes(method) ? LIMITED.perMinute : undefined;

/** Returns the most messages of a page. */
export const messagesPerPage = ({ outsideMarketplace }: AppSettings, limit: number): number =>
  outsideMarketplace ? Math.min(limit, LIMITED.objects) : limit;
