/** Implements `countermand events send`: signs and posts an event as the order service does. */
import { createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import type { Config } from '../config.ts';
import type { HttpCall } from '../http/exchange.ts';
import { isObject, parseJson } from '../json.ts';
import { GAVE_UP } from '../order-service/call-service.ts';
import { isResult } from '../order-service/events-route.ts';
import { LONGEST_ID, TEST_TOPIC } from '../order-service/parse-event.ts';
import { TERMINAL, TEST_EVENT } from '../requests/model/audit-entry.ts';
import { SERVICE_STATUSES } from '../requests/model/states.ts';
import { endpointAddress } from '../workspaces/connection/connection.ts';
import {
  type Command,
  FLAG,
  mustBeKnown,
  TEXT,
  UsageError,
  withAdapters,
  withSlackApi,
  workspaceOf,
} from './command.ts';
import { print } from './terminal.ts';

export const events: Command = {
  usage: `  countermand events send --workspace T... [--order ID --status STATUS] [--json]
                              signs a test event and posts it to the events URL, as the order service does; the bot takes it
                              and changes nothing
      --order, --status       an event about an order instead (${SERVICE_STATUSES.join(', ')}): it counts like one of the
                              order service`,
  async run([name, ...args]) {
    if (name !== 'send') throw new UsageError('Say what to do with events: send.');
    const { values } = parseArgs({
      args,
      options: { workspace: TEXT, order: TEXT, status: TEXT, json: FLAG },
    });
    const workspace = workspaceOf(values);
    const about = orderOf(values);
    await withAdapters(async ({ adapters, config }) => {
      await mustBeKnown(adapters, workspace);
      const to = about ? `${about.orderId} ${about.status}` : TEST_EVENT;
      const call = await callOf(config, adapters, { workspace, body: eventOf(about, adapters) });
      const sent = await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'sent_event', to },
        () => post(config, adapters, call),
        ({ type }) => type,
      );
      if (sent.type !== 'taken') throw new Error(problemText(sent, config, about));
      const { status, result } = sent;
      await print([values.json ? JSON.stringify({ status, result }) : takenText(result)]);
    });
  },
};

/** @param result the word in the bot's answer; a test is ignored on purpose */
const takenText = (result: string): string =>
  result === 'ignored'
    ? 'The bot took the test event, and changed nothing.'
    : `The bot took the event: ${result}.`;

type About = { orderId: string; status: string };

/** Reads what the event is about; undefined: it is a test. @throws UsageError */
function orderOf({ order, status }: { order?: string; status?: string }): About | undefined {
  if (order === undefined && status === undefined) return undefined;
  if (order === undefined || !SERVICE_STATUSES.some((known) => known === status))
    throw new UsageError(`Give both --order and --status, one of ${SERVICE_STATUSES.join(', ')}.`);
  if (order === '' || order.length > LONGEST_ID)
    throw new UsageError(`--order must be the id of an order, of at most ${LONGEST_ID} characters.`);
  return { orderId: order, status: String(status) };
}

/** Builds the body of the event. The bot answers a test that it ignored it. */
function eventOf(about: About | undefined, { outside }: Adapters): string {
  if (!about) return JSON.stringify({ topic: TEST_TOPIC });
  const updatedAt = new Date(outside.runtime.now()).toISOString();
  return JSON.stringify({ topic: 'order.cancellationrequest.updated', data: { ...about, updatedAt } });
}

const LIMITS = { deadlineMs: 10_000, maxBytes: 64 * 1024 };

/** Builds the call that posts an event, with its signature. @throws if the workspace is not connected */
async function callOf(
  config: Config,
  { connections }: Adapters,
  { workspace, body }: { workspace: string; body: string },
): Promise<HttpCall> {
  const connection = await connections.find(workspace);
  const [secret] = connection ? connections.secrets(connection) : [];
  if (!connection || secret === undefined)
    throw new Error(`The workspace ${workspace} is not connected, so it has no events URL.`);
  const { publicUrl } = config;
  const [header = ''] = config.eventsSignatureHeaders;
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const path = `${publicUrl.pathname}events/${endpointAddress(connection)}`;
  const headers = { 'content-type': 'application/json', [header]: signature };
  return { origin: publicUrl.origin, path, method: 'POST', headers, body };
}

/** The result of sending an event. `status`: of the answer. `unknown`: the bot may have taken it. */
type Sent =
  | { type: 'taken'; status: number; result: string }
  | { type: 'refused' | 'not_the_bot'; status: number }
  /** `status`: of a load balancer, or 503 of a bot that does not know whether it has stored the event; undefined: no answer. */
  | { type: 'unknown'; status: number | undefined }
  /** No connection was made. */
  | { type: 'unreachable'; cause: Error };

async function post(config: Config, { outside }: Adapters, call: HttpCall): Promise<Sent> {
  const sent = await withSlackApi(outside, config, ({ send }) => send(call, LIMITS));
  if (sent.type === 'failed')
    return sent.sent ? { type: 'unknown', status: undefined } : { type: 'unreachable', cause: sent.cause };
  const { status, body } = sent.answer;
  if (status >= 500 || GAVE_UP.has(status)) return { type: 'unknown', status };
  if (status >= 300) return { type: 'refused', status };
  // Every answer of the bot to an accepted event has a result.
  const said = parseJson(body);
  const result = isObject(said) ? said['result'] : undefined;
  return isResult(result) ? { type: 'taken', status, result } : { type: 'not_the_bot', status };
}

type Problem = Exclude<Sent, { type: 'taken' }>;

function problemText(problem: Problem, { publicUrl }: Config, about: About | undefined): string {
  switch (problem.type) {
    case 'unreachable':
      return `Nothing answers at ${publicUrl.href} (${problem.cause.message}). Start the bot, or check PUBLIC_URL.`;
    case 'unknown':
      return doubtText(problem.status, about);
    case 'refused':
      return refusedText(problem.status);
    case 'not_the_bot':
      return `Something else than the bot answered (HTTP ${problem.status}). Check PUBLIC_URL and the load balancer.`;
  }
}

function doubtText(status: number | undefined, about: About | undefined): string {
  const answer = status === undefined ? 'no answer' : `HTTP ${status}`;
  return about
    ? `It is not known whether the bot took the event (${answer}): it may count. Look at "countermand requests show" before you send it again, and check the log of the bot, PUBLIC_URL and the load balancer.`
    : `The bot did not confirm the test event (${answer}). Check the log of the bot, PUBLIC_URL and the load balancer, and send it again.`;
}

function refusedText(status: number): string {
  const help: Record<number, string> = {
    401: 'It does not know this signature: the bot has another storage or other SECRET_KEYS, or EVENTS_SIGNATURE_HEADERS differs.',
    404: 'It does not know the events URL: the bot has another storage, or something else answers at PUBLIC_URL.',
  };
  return `The event was refused (HTTP ${status}). ${help[status] ?? 'Check PUBLIC_URL and the load balancer.'}`;
}
