import { type Logger, webApi } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import { createJournal } from '../../lib/http/journal.ts';
import type { SlackOptions } from '../../slack/options.ts';
import { startSlack } from '../../slack/start.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { testWith } from './test-with.ts';

/** The part of the Web API's answers that the tests read. */
export type ApiAnswer = {
  ok: boolean;
  error?: string;
  ts: string;
  channel: string & { id: string };
  channels: { name: string }[];
  has_more: boolean;
  members: { name?: string }[];
  message: { thread_ts?: string; reactions?: unknown };
  messages: { text: string; metadata?: unknown }[];
  permalink: string;
  teams: object[];
  response_metadata: { next_cursor: string; scopes: string[]; messages?: string[] };
  user: unknown;
  usergroups: unknown;
  users: unknown;
  view: { id: string; hash: string };
};

/** The part of the bot's payloads that the tests read. */
export type Payload = {
  type: string;
  trigger_id: string;
  response_url: string;
  view: { id: string; hash: string; state: { values: Record<string, Record<string, object>> } };
  actions: object[];
};

/** The part of an event's envelope that the tests read. */
export type Told = {
  event_id: string;
  team_id: string;
  is_ext_shared_channel: boolean;
  authorizations: [{ team_id: string }];
  event: Record<string, unknown> & { type: string };
};

/** Opens a harness with a Slack, a listening bot, and Slack's own client for the Web API. */
export async function openSlackHarness(options: Partial<SlackOptions> = {}) {
  const journal = createJournal();
  const slack = await startSlack({ journal, ackTimeoutMs: 1_000, redeliveryDelaysMs: [0, 1, 1], ...options });
  const bot = await startReceiver();
  slack.connectApp({ requestUrl: bot.url });
  onTestFinished(async () => {
    await slack.close();
    await bot.close();
  });

  /** Calls a method as the bot does. @returns the answer, refusals included */
  async function call(
    method: string,
    args: object = {},
    token = slack.installation().token,
  ): Promise<ApiAnswer> {
    const client = new webApi.WebClient(token, {
      slackApiUrl: slack.apiUrl,
      logger: SILENT,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    });
    try {
      return (await client.apiCall(method, { ...args })) as unknown as ApiAnswer;
    } catch (error) {
      if (error instanceof Error && 'data' in error) return error.data as ApiAnswer;
      throw error;
    }
  }

  const post = (args: object) => call('chat.postMessage', { channel: SUPPORT, text: 'Hello', ...args });
  /** Resolves with the events that were sent to the bot once there are so many. */
  const told = async (count: number) => (await bot.count(count)).map(({ body }) => JSON.parse(body) as Told);
  return { slack, journal, bot, call, post, told };
}

export const test = testWith(openSlackHarness, ['slack', 'journal', 'bot', 'call', 'post', 'told']);

export const SUPPORT = 'C0SUPPORT1';

/** Returns the payload of a delivered interaction, or the fields of a delivered command. */
export function payloadOf({ received }: Receiver, index = -1): Payload {
  const fields = Object.fromEntries(new URLSearchParams(received.at(index)?.body));
  return JSON.parse(fields['payload'] ?? JSON.stringify(fields));
}

/** A logger in which every method does nothing. */
const SILENT = new Proxy({} as Logger, { get: () => () => undefined });

/** A modal with an order, a reason, a channel and a note. */
export const modal = (changes: object = {}) => ({
  type: 'modal',
  callback_id: 'cancel_order',
  title: text('Cancel an order'),
  submit: text('Cancel it'),
  blocks: [
    input('order', { type: 'plain_text_input', action_id: 'order_id', max_length: 10 }),
    input('why', {
      type: 'static_select',
      action_id: 'reason',
      options: [option('Damaged', 'damaged'), option('Late', 'late')],
    }),
    input('where', {
      type: 'conversations_select',
      action_id: 'channel',
      default_to_current_conversation: true,
      filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
    }),
    { ...input('note', { type: 'plain_text_input', action_id: 'note', multiline: true }), optional: true },
  ],
  ...changes,
});

export const text = (content: string) => ({ type: 'plain_text', text: content });
export const option = (label: string, value: string) => ({ text: text(label), value });
export const input = (block_id: string, element: object) => ({
  type: 'input',
  block_id,
  label: text(`The ${block_id}`),
  element,
});
export const button = (action_id: string, label = action_id, more: object = {}) => ({
  type: 'button',
  action_id,
  text: text(label),
  ...more,
});
export const actions = (...elements: object[]) => ({ type: 'actions', block_id: 'buttons', elements });
export const section = (content: string, more: object = {}) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: content },
  ...more,
});
