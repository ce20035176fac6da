import type { SlackOptions } from '../../slack/options.ts';
import { openSlackHarness } from './slack-harness.ts';
import { connectSocketApp } from './socket-app.ts';

/** The part of an event's envelope that the tests read. */
export type ReceivedEvent = {
  event_id: string;
  is_ext_shared_channel: boolean;
  event: Record<string, unknown>;
};

/** Opens a harness whose app listens over either transport, with the events that it received. */
export async function openEventHarness(transport: 'HTTP' | 'Socket Mode', options: Partial<SlackOptions>) {
  const harness = await openSlackHarness(options);
  if (transport === 'HTTP') {
    const told = async (count: number): Promise<ReceivedEvent[]> =>
      (await harness.bot.count(count)).map(({ body }) => JSON.parse(body));
    return { ...harness, told };
  }
  const { slack } = harness;
  slack.connectApp({ socketMode: true });
  const headers = { authorization: `Bearer ${slack.appToken}` };
  const opened = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  const app = await connectSocketApp(((await opened.json()) as { url: string }).url);
  const greetings = 1;
  const told = async (count: number) =>
    (await app.count(greetings + count)).slice(greetings).map(({ payload }) => payload as ReceivedEvent);
  return { ...harness, told };
}
