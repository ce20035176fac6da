import type { SlackOptions } from '../../slack/options.ts';
import { openSlackDesk } from './slack-harness.ts';
import { connectSocketApp } from './socket-app.ts';

/** What the tests read of the envelope of an event. */
export type Told = {
  event_id: string;
  is_ext_shared_channel: boolean;
  event: Record<string, unknown>;
};

/** A desk whose app listens over either transport, and what it was told of events. */
export async function openListeningDesk(transport: 'HTTP' | 'Socket Mode', options: Partial<SlackOptions>) {
  const desk = await openSlackDesk(options);
  if (transport === 'HTTP') {
    const told = async (count: number): Promise<Told[]> =>
      (await desk.bot.count(count)).map(({ body }) => JSON.parse(body));
    return { ...desk, told };
  }
  const { slack } = desk;
  slack.connectApp({ socketMode: true });
  const headers = { authorization: `Bearer ${slack.appToken}` };
  const opened = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  const app = await connectSocketApp(((await opened.json()) as { url: string }).url);
  const greetings = 1;
  const told = async (count: number) =>
    (await app.count(greetings + count)).slice(greetings).map(({ payload }) => payload as Told);
  return { ...desk, told };
}
