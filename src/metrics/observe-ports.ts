/** Watches ports of the bot: counts and times its calls to Slack and to the order service, and what the store of requests does. */
import { createCache } from '../cache.ts';
import { ClaimLostError, dateOf, type Exchange, type HttpCall, type SendHttp } from '../http/exchange.ts';
import { GAVE_UP } from '../order-service/call-service.ts';
import type { Transport } from '../order-service/transport.ts';
import { type Entry, nameOfRecord } from '../outbox/record-store.ts';
import { BUTTON, lastEntry } from '../requests/model/approval.ts';
import { KIND_NAMES, KINDS } from '../requests/model/kinds.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { STATES } from '../requests/model/states.ts';
import type { RequestStore } from '../requests/ports/ports.ts';
import type { Definitions } from './definitions.ts';

type Clock = { now: () => number; monotonic: () => number };

/** The beginning of an answer in JSON, or of none. */
const JSON_BODY = /^\s*([[{]|$)/;

/**
 * A failure is `not_sent` if the service has certainly received nothing, `stopped` if that was this process's own doing, and
 * `inconclusive` if the answer leaves open what came of the call: a redirect, a gateway that gave up, or a page in place of JSON.
 */
function outcomeOf(result: Exchange): string {
  if (result.type === 'failed' && result.cause instanceof ClaimLostError) return 'stopped';
  if (result.type === 'failed') return result.sent ? 'no_answer' : 'not_sent';
  const { status, body } = result.answer;
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'server_error';
  if (status < 300) return JSON_BODY.test(body) ? 'ok' : 'inconclusive';
  return status < 400 || GAVE_UP.has(status) ? 'inconclusive' : 'refused';
}

/**
 * Slack says in the body whether it did what was asked (https://docs.slack.dev/apis/web-api/#responses). Only a `response_url`
 * answers with plain text: "ok".
 */
function slackOutcome(result: Exchange): string {
  const { body = '' } = result.type === 'answered' ? result.answer : {};
  const outcome = outcomeOf(result);
  if (outcome === 'inconclusive' && body === 'ok') return 'ok';
  return outcome === 'ok' && body.startsWith('{"ok":false') ? 'refused' : outcome;
}

/** The failures in a row that show an outage: one lost answer is none. */
const FAILURES_IN_A_ROW = 3;
/** The time after the last failure, or the last answer, from which nothing is known any more. */
const REMEMBERED_MS = 5 * 60_000;

/** Tells whether Slack can be reached, and how far off the clock is, from the results of the calls and the connection. */
export function createSlackState({ slackReachable, clockOffset }: Definitions, { now, monotonic }: Clock) {
  let failures = 0;
  let failedAt = 0;
  let offset = { seconds: 0, at: 0 };
  const isRecent = (at: number) => monotonic() - at < REMEMBERED_MS;
  return {
    learn(result: Exchange): void {
      const outcome = slackOutcome(result);
      if (outcome === 'stopped') return;
      const isFailed = ['not_sent', 'no_answer', 'server_error', 'inconclusive'].includes(outcome);
      failures = isFailed ? failures + 1 : 0;
      if (isFailed) failedAt = monotonic();
      const date = result.type === 'answered' ? dateOf(result.answer) : Number.NaN;
      if (!Number.isNaN(date)) offset = { seconds: Math.round((now() - date) / 1_000), at: monotonic() };
    },
    show(isConnected: boolean): void {
      const isAnswering = failures < FAILURES_IN_A_ROW || !isRecent(failedAt);
      slackReachable.set(isConnected && isAnswering ? 1 : 0);
      // The clock may have been set since.
      clockOffset.set(isRecent(offset.at) ? offset.seconds : 0);
    },
  };
}

/** Counts and times calls of the Web API by the last part of their path, such as `chat.postMessage`. */
export function observeSlack(
  send: SendHttp,
  metrics: Definitions,
  { monotonic }: Pick<Clock, 'monotonic'>,
  learn: (result: Exchange) => void,
): SendHttp {
  return async (call, ...rest) => {
    const began = monotonic();
    const result = await send(call, ...rest);
    learn(result);
    const method = call.path.slice(call.path.lastIndexOf('/') + 1);
    // An address that Slack gives for one answer (response_url) ends in an id.
    const label = /^[a-z]+(?:\.[a-zA-Z0-9]+)+$/.test(method) ? method : 'response_url';
    metrics.slackCalls.inc({ method: label, outcome: slackOutcome(result) });
    metrics.slackSeconds.observe({ method: label }, (monotonic() - began) / 1_000);
    return result;
  };
}

/** Counts and times calls of the order service by their operation. */
export function observeService(transport: Transport, metrics: Definitions, { monotonic }: Clock): Transport {
  return {
    ...transport,
    async send(call, ...rest) {
      const began = monotonic();
      const result = await transport.send(call, ...rest);
      const method = operationOf(call);
      metrics.serviceCalls.inc({ method, outcome: outcomeOf(result) });
      metrics.serviceSeconds.observe({ method }, (monotonic() - began) / 1_000);
      return result;
    },
  };
}

/** The end of the path of each kind's calls. The deprecated path ends in the same way. */
const PATHS = KIND_NAMES.map((kind) => ({
  kind,
  matches: new RegExp(`${KINDS[kind].call.path.replace('{id}', '[^/]+')}$`),
}));

/** Names an operation of the interface. Its path is no label, since it holds an id. */
function operationOf({ method, path }: HttpCall): string {
  if (method === 'DELETE') return 'revoke_token';
  if (method === 'GET') return 'list_sub_brands';
  return PATHS.find(({ matches }) => matches.test(path))?.kind ?? 'other';
}

/** The parts of a request that have been counted: its steps, the entries of its voting history, and a decision of the round. */
type Counted = { steps: number; entries: number; decided: boolean };

/** The requests whose counted parts are cached. Each is read before it is written, and a write counts what the read lacked. */
const REMEMBERED = 10_000;

const countedOf = ({ steps, approval }: RequestRecord): Counted => ({
  steps: steps.at(-1)?.n ?? 0,
  entries: approval ? lastEntry(approval) : 0,
  decided: approval?.decision !== undefined,
});

/** Counts what the writes of requests change, and times the operations of their store. */
export function observeRequests(
  store: RequestStore,
  metrics: Definitions,
  monotonic: () => number,
): RequestStore {
  const counted = createCache<Counted>(REMEMBERED);
  const remember = (record: RequestRecord): void => void counted.set(nameOfRecord(record), countedOf(record));

  async function timed<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const began = monotonic();
    try {
      return await run();
    } catch (error) {
      metrics.storageFailures.inc({ operation });
      throw error;
    } finally {
      metrics.storageSeconds.observe({ operation }, (monotonic() - began) / 1_000);
    }
  }

  function countWrite({ record }: Entry<RequestRecord>): void {
    const before = counted.get(nameOfRecord(record)) ?? countedOf(record);
    countSteps(metrics, record, before);
    countVotes(metrics, record, before);
    remember(record);
  }

  return {
    ...store,
    async create(entry, ...rest) {
      const creation = await timed('create', () => store.create(entry, ...rest));
      if (creation.type !== 'created') return creation;
      const { workspace, kind } = entry.record;
      metrics.requests.inc({ kind, ...metrics.labelsOf(workspace) });
      counted.set(nameOfRecord(entry.record), { steps: 0, entries: 0, decided: false });
      countWrite(entry);
      return creation;
    },
    async update(entry, ...rest) {
      const updated = await timed('update', () => store.update(entry, ...rest));
      if (updated.type === 'updated') countWrite(entry);
      return updated;
    },
    async get(ref) {
      const found = await timed('get', () => store.get(ref));
      if (found) remember(found.record);
      return found;
    },
    async listBySubject(...given) {
      const found = await timed('list', () => store.listBySubject(...given));
      found.records.forEach(remember);
      return found;
    },
    async list(...given) {
      const found = await timed('list', () => store.list(...given));
      found.forEach(remember);
      return found;
    },
  };
}

function countSteps(metrics: Definitions, record: RequestRecord, { steps }: Counted): void {
  const { kind, workspace, createdAt } = record;
  for (const { n, state, at } of record.steps) {
    if (n <= steps) continue;
    metrics.steps.inc({ kind, state, ...metrics.labelsOf(workspace) });
    if (!STATES[state].slot) metrics.outcomeSeconds.observe({ kind, state }, (at - createdAt) / 1_000);
  }
}

function countVotes(
  metrics: Definitions,
  { kind, approval }: RequestRecord,
  { entries, decided }: Counted,
): void {
  if (!approval) return;
  for (const { n, type, source, problem } of approval.history) {
    if (n <= entries) continue;
    metrics.votes.inc({ way: source === BUTTON ? 'button' : 'reaction', type });
    if (problem !== undefined) metrics.refusedVotes.inc({ reason: problem });
  }
  const { decision, since } = approval;
  if (decision && !decided)
    metrics.decisionSeconds.observe({ kind, choice: decision.choice }, (decision.at - since) / 1_000);
}
