/** A Slack that answers at once, or enforces its limits. It runs in this process, off the core of the measured process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLimitedCalls, type Tier } from '../../sandbox/slack/api/limits.ts';
import type { Bench } from '../lib/bench.ts';

export type Post = { workspace: string; text: string; thread: string | undefined };

export type BenchSlack = {
  apiUrl: string;
  /** The number of calls of each method, refused ones included. */
  calls: Map<string, number>;
  /** The number of calls that were refused with 429. */
  refused(): number;
  /** Receives each message that was accepted. */
  onPost: (post: Post) => void;
  /** Receives the id of each view that was updated. */
  onView: (id: string) => void;
  /** Refuses each message of this workspace with 429. */
  refusesPosts: string | undefined;
};

/** The tiers of the methods that have to do with an outcome (https://docs.slack.dev/reference/methods). */
const TIERS: Record<string, Tier> = {
  'chat.postMessage': 'post',
  'chat.update': 3,
  'conversations.replies': 3,
  'conversations.info': 3,
  'users.info': 4,
};

type Form = Record<string, string>;

const ANSWERS: Record<string, (form: Form, workspace: string) => object> = {
  'users.info': ({ user }, workspace) => ({ user: { id: user, team_id: workspace } }),
  'conversations.info': ({ channel }, workspace) => ({
    channel: { id: channel, is_channel: true, is_member: true, context_team_id: workspace },
  }),
  'conversations.replies': () => ({ messages: [], has_more: false }),
};

/** @param enforcing whether calls above Slack's limits are refused */
export async function startSlack({ defer }: Bench, enforcing: boolean): Promise<BenchSlack> {
  const limits = createLimitedCalls({}, Date.now);
  const calls = new Map<string, number>();
  let refused = 0;
  let posted = 0;

  function waitFor(call: Parameters<typeof limits.take>[0]): number | undefined {
    if (call.method === 'chat.postMessage' && call.team === slack.refusesPosts) return 1;
    return enforcing ? limits.take(call) : undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').slice('/api/'.length);
    const form: Form = Object.fromEntries(new URLSearchParams(await text(request)));
    const workspace = /xoxb-(\w+)-/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    calls.set(method, (calls.get(method) ?? 0) + 1);
    const call = {
      team: workspace,
      method,
      tier: TIERS[method] ?? 'unlimited',
      channel: form['channel'] ?? '',
    };
    const waitSeconds = waitFor(call);
    if (waitSeconds !== undefined) {
      refused += 1;
      return respond(response, 429, { ok: false, error: 'ratelimited' }, { 'retry-after': `${waitSeconds}` });
    }
    if (method === 'chat.postMessage') {
      posted += 1;
      slack.onPost({ workspace, text: form['text'] ?? '', thread: form['thread_ts'] });
    }
    if (method === 'views.update') slack.onView(form['view_id'] ?? '');
    const ts = form['ts'] ?? `${Math.floor(Date.now() / 1_000)}.${`${posted}`.padStart(6, '0')}`;
    // The bot takes a reply whose thread is not confirmed for a misplaced one, removes it and posts another.
    const message = { ts, thread_ts: form['thread_ts'] };
    const answer = { ok: true, channel: form['channel'], ts, message, ...ANSWERS[method]?.(form, workspace) };
    respond(response, 200, answer);
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  const slack: BenchSlack = {
    apiUrl,
    calls,
    refused: () => refused,
    onPost() {},
    onView() {},
    refusesPosts: undefined,
  };
  return slack;
}

function respond(response: ServerResponse, status: number, body: object, headers = {}): void {
  const json = JSON.stringify(body);
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  response.writeHead(status, { ...length, ...headers }).end(json);
}
