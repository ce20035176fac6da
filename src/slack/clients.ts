/** Slack's Web API clients: how long to wait, and what to do about a 429, is chosen here and nowhere else. */
import type { webApi } from '@slack/bolt';
import { type Installation, type Installations, NotInstalledError } from './installations.ts';
import { clientOptions, type SlackApi, webClient } from './web-client.ts';

/**
 * A person waits, and Slack for an answer, 3 s: two such calls in a row fit.
 */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/**
 * Nobody waits, and the record is what repeats the call. Four in a row fit into half of a claim; where a look at the channel
 * comes before them, a post asks right before it is made whether it is still in time.
 */
const BACKGROUND_TIMEOUT_MS = 7_000;
/** They are small, but nobody knows how many workspaces there will be. */
const MOST_CLIENTS = 10_000;

export type SlackClients = {
  /** For Bolt, which makes clients of its own for its listeners. */
  options: webApi.WebClientOptions;
  /** @throws NotInstalledError */
  installation(workspace: string, organization?: string): Promise<Installation>;
  interactive(workspace: string): Promise<webApi.WebClient>;
  background(workspace: string): Promise<webApi.WebClient>;
};

export function createSlackClients(
  installations: Pick<Installations, 'find'>,
  {
    backgroundTimeoutMs = BACKGROUND_TIMEOUT_MS,
    ...api
  }: SlackApi & { backgroundTimeoutMs?: number | undefined },
): SlackClients {
  const made = new Map<string, { botToken: string; client: webApi.WebClient }>();

  async function installation(workspace: string, organization?: string): Promise<Installation> {
    const found = await installations.find(workspace, organization);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  async function client(workspace: string, timeout: number): Promise<webApi.WebClient> {
    const { botToken } = await installation(workspace);
    const key = `${timeout} ${workspace}`;
    const known = made.get(key);
    if (known?.botToken === botToken) return known.client;
    if (made.size >= MOST_CLIENTS) made.clear();
    const client = webClient(botToken, api, timeout);
    made.set(key, { botToken, client });
    return client;
  }

  return {
    installation,
    options: clientOptions(api, INTERACTIVE_TIMEOUT_MS),
    interactive: (workspace) => client(workspace, INTERACTIVE_TIMEOUT_MS),
    background: (workspace) => client(workspace, backgroundTimeoutMs),
  };
}
