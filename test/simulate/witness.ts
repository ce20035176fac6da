/** Sees everything that happens in a play from outside, and keeps what the checks need. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpReply } from '../../sandbox/lib/http/server.ts';
import type { Organization } from '../../sandbox/order-service/world/organizations.ts';
import type { Message } from '../../sandbox/slack/world/types.ts';
import type { HttpAnswer } from '../../src/http/exchange.ts';
import { type RequestRecord, subjectOf } from '../../src/requests/model/record.ts';
import { STATES } from '../../src/requests/model/states.ts';
import type { WorkspaceNotification } from '../../src/requests/model/workspace-notification.ts';
import type { Entry } from '../../src/requests/ports/record-store.ts';
import { STEP_METADATA } from '../../src/slack/blocks/ids.ts';
import type { Place } from './draw/fates.ts';
import type { Life } from './life.ts';
import { cellOf } from './report/coverage.ts';

/** The effect that a replica performs under a claim. */
export type Effect = {
  /** Undefined: it is about a notification. */
  request?: string;
  state: string;
  act: string;
  attempt: number;
  decision: number;
  /** Epoch milliseconds by the clock of the storage. */
  expiresAt: number;
};

/** A call on its way to the service. `decision`: the number of the step that led to it. */
export type MadeCall = {
  token: string;
  operation: string;
  id: string;
  request: string | undefined;
  decision: number;
  attempt: number;
  /** When it was begun, epoch milliseconds. */
  at: number;
  /** Undefined: it has not been received. */
  status?: number;
  body?: unknown;
  /** The answer as it has reached the process that asked, and when. */
  answer?: HttpAnswer & { at: number; by: Life };
};

export type Witness = ReturnType<typeof createWitness>;

const CALLS = ['cancel_order', 'send_offer', 'cancel_offer'];

/** The target that a request holds; undefined: none. */
const targetHeldBy = ({ workspace, kind, target, state, holdsSlot }: RequestRecord): string | undefined =>
  STATES[state].slot && holdsSlot ? `${workspace} ${subjectOf(kind, target)}` : undefined;

/** @param now epoch milliseconds */
export function createWitness(
  now: () => number,
  organizationOf: (token: string) => Organization | undefined,
) {
  const doing = new AsyncLocalStorage<Effect>();
  const calls: MadeCall[] = [];
  const violations: string[] = [];
  const coverage = new Map<string, number>();
  /** Of each request: whether its card was ever posted. */
  const cards = new Set<string>();
  const looks: { channel: string; ts: string; at: number; standing: Set<string> }[] = [];
  const faults: string[] = [];

  function violated(what: string): void {
    if (!violations.includes(what)) violations.push(what);
  }

  /** Promise 5, at each write: one open request for a target. */
  function checkSlot(written: RequestRecord, all: Iterable<Entry<RequestRecord>>): void {
    for (const { record } of all) {
      if (
        record.id !== written.id &&
        targetHeldBy(record) !== undefined &&
        targetHeldBy(record) === targetHeldBy(written)
      )
        violated(`slot: two open requests for ${written.target}`);
    }
  }

  return {
    now,
    violations,
    coverage,
    calls,
    looks,
    faults,
    violated,
    /** A replica claims an effect: whatever it sends from now on in this chain of calls is for that. */
    claiming(record: RequestRecord): void {
      const { claim, steps } = record;
      if (!claim) return;
      const act = 'messageKey' in claim ? `${claim.effect} ${claim.messageKey.type}` : claim.effect;
      const decided = steps.findLast(
        ({ state, cause }) =>
          (state === 'queued' || state === 'awaiting_approval') && cause.type !== 'answer',
      );
      const attempt = claim.effect === 'call' ? claim.attempt : 0;
      const { expiresAt } = claim;
      const decision = decided?.n ?? 0;
      doing.enterWith({ request: record.id, state: record.state, act, attempt, decision, expiresAt });
    },
    /** The same for a notification. */
    claimingNotice({ claim, type, delivery }: WorkspaceNotification): void {
      if (!claim) return;
      const act = delivery.status === 'owed' ? 'post' : 'find';
      const { expiresAt } = claim;
      doing.enterWith({ state: `notification ${type}`, act, attempt: 0, decision: 0, expiresAt });
    },
    /** Something that must happen once leaves its process. Promises 1 and 3: not once its claim has expired. */
    leaving(effect: Effect | undefined, name: string): void {
      const isPost = name === 'chat.postMessage' && effect?.act.startsWith('post');
      if (!effect || !(isPost || CALLS.includes(name)) || now() < effect.expiresAt) return;
      violated(`claim: ${name} for ${effect.request ?? effect.state} left after its claim had expired`);
    },
    effect: () => doing.getStore(),
    /** Something goes otherwise than usual, in the middle of an effect or outside of all of them. */
    covered(effect: Effect | undefined, place: Place, fate: string): void {
      const key = cellOf(effect, place, fate);
      coverage.set(key, (coverage.get(key) ?? 0) + 1);
    },
    written({ record }: Entry<RequestRecord>, all: Iterable<Entry<RequestRecord>>): void {
      checkSlot(record, all);
    },
    calling(call: Pick<MadeCall, 'token' | 'operation' | 'id'>): MadeCall {
      const effect = CALLS.includes(call.operation) ? doing.getStore() : undefined;
      const { request, decision = 0, attempt = 0 } = effect ?? {};
      const made = { ...call, request, decision, attempt, at: now() };
      calls.push(made);
      return made;
    },
    /** The service has got a call. Promises 1, 6 and 8. */
    received(made: MadeCall, reply: HttpReply): void {
      made.status = reply.status;
      made.body = reply.body;
      if (!CALLS.includes(made.operation)) return;
      const others = calls.filter(
        (each) =>
          each !== made &&
          each.status !== undefined &&
          each.request === made.request &&
          each.decision === made.decision &&
          CALLS.includes(each.operation),
      );
      if (others.length > 0) violated(`call: one decision led to two calls about ${made.id}`);
      if (made.request && !cards.has(made.request))
        violated(`card: ${made.id} was called before its card stood`);
      const owner = organizationOf(made.token);
      if (owner && !made.id.startsWith(owner.id))
        violated(`isolation: ${made.id} was called for another workspace`);
    },
    answered(made: MadeCall, answer: HttpAnswer, by: Life): void {
      made.answer = { ...answer, at: now(), by };
    },
    posted({ metadata }: Message): void {
      if (metadata?.event_type !== STEP_METADATA || metadata.event_payload['step'] !== 0) return;
      cards.add(String(metadata.event_payload['request']));
    },
    looked(message: Message, at: number): void {
      const standing = [...message.reactions].flatMap(([emoji, users]) =>
        users.map((user) => `${user} ${emoji}`),
      );
      looks.push({ channel: message.channel, ts: message.ts, at, standing: new Set(standing) });
    },
    /** Something of ours threw what nobody had thought of. */
    fault(error: unknown): void {
      const isOurs =
        error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
      if (isOurs && error.message !== 'fetch failed') faults.push(String(error.stack));
    },
  };
}
