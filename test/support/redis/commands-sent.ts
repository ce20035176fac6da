import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const STARTED = 'tracing:node-redis:command:start';

type Command = { command: string; args: readonly string[]; serverPort: number | undefined };

/**
 * Returns the commands that this process sends to a Redis while `work` runs, pings left out. Connections that another test has
 * left may still call a Redis of their own, so the port tells them apart.
 */
export async function commandsSent(url: string, work: () => Promise<unknown>): Promise<Command[]> {
  const port = Number(new URL(url).port || 6379);
  const sent: Command[] = [];
  const note = (context: unknown) => void sent.push(context as Command);
  subscribe(STARTED, note);
  await work();
  unsubscribe(STARTED, note);
  return sent.filter(({ command, serverPort }) => serverPort === port && command !== 'PING');
}
