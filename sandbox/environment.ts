import { createHash } from 'node:crypto';
import type { OrderService } from './order-service/start.ts';
import type { AppAddress } from './slack/delivery/app-connection.ts';
import type { Slack } from './slack/start.ts';

export type Transport = 'http' | 'socket';

type BotOptions = {
  port: number;
  database?: string;
  transport?: Transport;
  /** The token of the seeded workspace, or the credentials for installing by OAuth. */
  credentials?: 'token' | 'oauth';
};

/** Derives SLACK_STATE_SECRET, so that it is the same after a restart of the bot with this Slack. */
const stateSecret = ({ clientSecret }: Slack) =>
  createHash('sha256').update(`state ${clientSecret}`).digest('hex');

export function botEnvironment(
  { slack, service }: { slack: Slack; service: OrderService },
  { port, database, transport = 'http', credentials = 'token' }: BotOptions,
): Record<string, string> {
  return {
    PORT: `${port}`,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...(transport === 'socket'
      ? { SLACK_APP_TOKEN: slack.appToken }
      : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    ...(credentials === 'token'
      ? { SLACK_BOT_TOKEN: slack.installation().token }
      : {
          SLACK_CLIENT_ID: slack.clientId,
          SLACK_CLIENT_SECRET: slack.clientSecret,
          SLACK_STATE_SECRET: stateSecret(slack),
        }),
    SLACK_API_URL: slack.apiUrl,
    ORDER_SERVICE_URL: service.url,
    ...(database ? { STORAGE_URL: `sqlite:${database}` } : {}),
    LOG_FORMAT: 'json',
  };
}

/** Returns the address at which this bot receives requests of Slack. */
export const appAddress = (port: number, transport: Transport = 'http'): AppAddress =>
  transport === 'socket' ? { socketMode: true } : { requestUrl: `http://127.0.0.1:${port}/slack/events` };
