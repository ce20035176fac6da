/** Implements `countermand events send`: signs and posts an event as the order service does. */
import { createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Adapters } from '../compose/adapters.ts';
import type { Config } from '../config.ts';
import { isObject, parseJson } from '../json.ts';
import { LONGEST_ID } from '../order-service/parse-event.ts';
import { TERMINAL, TEST_EVENT } from '../requests/model/audit-entry.ts';
import { SERVICE_STATUSES } from '../requests/model/states.ts';
import { endpointAddress } from '../workspaces/connection/connection.ts';
import { type Command, mustBeKnown, UsageError, withAdapters, withSlackApi, workspaceOf } from './command.ts';
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
      options: {
        workspace: { type: 'string' },
        order: { type: 'string' },
        status: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const workspace = workspaceOf(values);
    const sample = sampleOf(values);
    await withAdapters(async ({ adapters, config }) => {
      await mustBeKnown(adapters, workspace);
      const to = sample.data ? `${sample.data.orderId} ${sample.data.status}` : TEST_EVENT;
      const answer = await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'sent_event', to },
        () => post(config, adapters, { workspace, body: eventOf(sample, adapters) }),
        ({ status }) => `HTTP ${status}`,
      );
      const { status, result } = answer;
      if (status >= 300) throw new Error(refusedText(status));
      if (result === undefined)
        throw new Error(
          `Something else than the bot answered (HTTP ${status}). Check PUBLIC_URL and the load balancer.`,
        );
      await print([values.json ? JSON.stringify(answer) : takenText(result)]);
    });
  },
};

/** @param result the word in the bot's answer; a test is ignored on purpose */
const takenText = (result: string): string =>
  result === 'ignored'
    ? 'The bot took the test event, and changed nothing.'
    : `The bot took the event: ${result}.`;

/** The event to send. `data`: set if it is about an order. */
type Sample = { topic: string; data?: { orderId: string; status: string } };

/** The bot uses no such topic, and answers that it ignored it. */
const TEST: Sample = { topic: 'countermand.test' };

/** @throws UsageError */
function sampleOf({ order, status }: { order?: string | undefined; status?: string | undefined }): Sample {
  if (order === undefined && status === undefined) return TEST;
  if (order === undefined || !SERVICE_STATUSES.some((known) => known === status))
    throw new UsageError(`Give both --order and --status, one of ${SERVICE_STATUSES.join(', ')}.`);
  if (order === '' || order.length > LONGEST_ID)
    throw new UsageError(`--order must be the id of an order, of at most ${LONGEST_ID} characters.`);
  return { topic: 'order.cancellationrequest.updated', data: { orderId: order, status: String(status) } };
}

function eventOf({ topic, data }: Sample, { outside }: Adapters): string {
  const updatedAt = new Date(outside.runtime.now()).toISOString();
  return JSON.stringify({ topic, data: data && { ...data, updatedAt } });
}

const LIMITS = { deadlineMs: 10_000, maxBytes: 64 * 1024 };

/** @returns the status of the answer, and its result, which every answer of the bot to an accepted event has */
async function post(
  config: Config,
  { connections, outside }: Adapters,
  { workspace, body }: { workspace: string; body: string },
): Promise<{ status: number; result: string | undefined }> {
  const connection = await connections.find(workspace);
  const [secret] = connection ? connections.secrets(connection) : [];
  if (!connection || secret === undefined)
    throw new Error(`The workspace ${workspace} is not connected, so it has no events URL.`);
  const {
    publicUrl,
    eventsSignatureHeaders: [header = ''],
  } = config;
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const path = `${publicUrl.pathname}events/${endpointAddress(connection)}`;
  const headers = { 'content-type': 'application/json', [header]: signature };
  const call = { origin: publicUrl.origin, path, method: 'POST' as const, headers, body };
  const sent = await withSlackApi(outside, config, ({ send }) => send(call, LIMITS));
  if (sent.type === 'failed')
    throw new Error(
      `Nothing answers at ${publicUrl.href} (${sent.cause.message}). Start the bot, or check PUBLIC_URL.`,
    );
  const said = parseJson(sent.answer.body);
  const result = isObject(said) ? said['result'] : undefined;
  return { status: sent.answer.status, result: typeof result === 'string' ? result : undefined };
}

function refusedText(status: number): string {
  const help: Record<number, string> = {
    401: 'It does not know this signature: the bot has another storage or other SECRET_KEYS, or EVENTS_SIGNATURE_HEADERS differs.',
    404: 'It does not know the events URL: the bot has another storage, or something else answers at PUBLIC_URL.',
    503: 'It can not write it now: look at its log.',
  };
  return `The event was refused (HTTP ${status}). ${help[status] ?? 'Check PUBLIC_URL and the load balancer.'}`;
}
