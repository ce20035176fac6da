/** Slack's Web API clients: how long to wait, and what to do about a 429, is chosen here and nowhere else. */
import { webApi } from '@slack/bolt';
import type { Logger } from './bolt-logger.ts';

export type Installation = {
  workspace: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

export type Installations = {
  /** @throws where Slack or the storage can't be asked; undefined: the app is not installed there */
  find(workspace: string): Promise<Installation | undefined>;
};

/**
 * A person waits, and Slack for an answer, 3 s: two such calls in a row fit. Calls are made once, and a 429 is an error
 * like any other: the SDK's ten retries over half an hour serve nobody here.
 */
const INTERACTIVE_TIMEOUT_MS = 1_200;
/** Nobody waits, and the record is what repeats the call. Four in a row (the most of any act) fit into half of a claim. */
const BACKGROUND_TIMEOUT_MS = 7_000;

export type SlackClients = {
  /** For Bolt, which makes clients of its own for its listeners. */
  options: webApi.WebClientOptions;
  /** @throws NotInstalledError */
  installation(workspace: string): Promise<Installation>;
  interactive(workspace: string): Promise<webApi.WebClient>;
  background(workspace: string): Promise<webApi.WebClient>;
};

export class NotInstalledError extends Error {
  constructor(workspace: string) {
    super(`Countermand is not installed in workspace ${workspace}.`);
  }
}

export function createSlackClients(
  installations: Installations,
  {
    apiUrl,
    logger,
    backgroundTimeoutMs = BACKGROUND_TIMEOUT_MS,
  }: { apiUrl: URL; logger: Logger; backgroundTimeoutMs?: number | undefined },
): SlackClients {
  const shared = { slackApiUrl: apiUrl.href, logger, rejectRateLimitedCalls: true, allowAbsoluteUrls: false };
  const cached = new Map<string, webApi.WebClient>();

  async function installation(workspace: string): Promise<Installation> {
    const found = await installations.find(workspace);
    if (!found) throw new NotInstalledError(workspace);
    return found;
  }

  async function client(workspace: string, timeout: number): Promise<webApi.WebClient> {
    const { botToken } = await installation(workspace);
    const key = `${timeout} ${botToken}`;
    const known = cached.get(key);
    if (known) return known;
    const made = new webApi.WebClient(botToken, {
      ...shared,
      retryConfig: { retries: 0 },
      timeout,
    });
    cached.set(key, made);
    return made;
  }

  return {
    installation,
    options: { ...shared, retryConfig: { retries: 0 }, timeout: INTERACTIVE_TIMEOUT_MS },
    interactive: (workspace) => client(workspace, INTERACTIVE_TIMEOUT_MS),
    background: (workspace) => client(workspace, backgroundTimeoutMs),
  };
}
