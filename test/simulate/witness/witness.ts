/** Observes a play from outside the bot: checks some invariants at once, and records what the others need. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { HttpReply } from '../../../sandbox/lib/http/server.ts';
import type { Organization } from '../../../sandbox/order-service/organization.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { HttpAnswer } from '../../../src/http/exchange.ts';
import type { Entry } from '../../../src/outbox/record-store.ts';
import type { Notice } from '../../../src/requests/model/notices/notice.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { KINDS, STATES } from '../../support/seen-requests.ts';
import type { Boundary } from '../draw/faults.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import { CARD, isVotedOn, markOf } from '../tables/messages.ts';
import { MOST_BUFFERED, slotOf } from '../tables/requests.ts';
import type { Team } from '../teams.ts';
import type { Trace } from '../trace.ts';
import { cellOf } from './coverage.ts';

/** The effect that a replica performs under a claim. */
export type Effect = {
  /** Undefined for a notice. */
  request?: string;
  state: string;
  name: string;
  attempt: number;
  decision: number;
  /** Epoch milliseconds by the clock of the storage. */
  expiresAt: number;
};

/** A call to the order service. `decision`: the number of the step that led to it. */
export type ServiceCall = {
  token: string;
  operation: string;
  id: string;
  request: string | undefined;
  decision: number;
  attempt: number;
  /** The time at which the bot began it, epoch milliseconds. */
  at: number;
  /** Undefined until the service has received the call. */
  status?: number;
  receivedAt?: number;
  body?: unknown;
  /** The answer as it reached the calling process, and when. */
  answer?: HttpAnswer & { at: number; by: SimulatedProcess };
};

/** `about`: names the work in the choices of a play, so that it is found again after the code around it has changed. */
type Doing = { about: string; effect?: Effect };

/** The stored records at the time of a request's write. */
type Beside = { all: Iterable<Entry<RequestRecord>>; settings: Settings; isNew: boolean };

export type Witness = ReturnType<typeof createWitness>;

/** The operations of the service that carry out requests. */
const CALLS = new Set<string>(Object.keys(KINDS));

/** The methods of Slack by which an effect changes messages. */
const CHANGES: ReadonlySet<string> = new Set(['chat.postMessage', 'chat.update', 'chat.delete']);

/** "answer", "person UANA" */
const causeName = (cause: { type: string; by?: unknown }): string =>
  `${cause.type}${cause.by ? ` ${cause.by}` : ''}`;

/** The target whose slot a request holds; undefined: none. */
const targetHeldBy = ({ workspace, kind, target, state, holdsSlot }: RequestRecord): string | undefined =>
  STATES[state]?.isOpen && holdsSlot ? slotOf(workspace, kind, target) : undefined;

/** @param now epoch milliseconds */
export function createWitness(
  now: () => number,
  trace: Pick<Trace, 'tell'>,
  organizationOf: (token: string) => Organization | undefined,
) {
  /** The request for which each run of the loop has claimed something, by the owner of its claims. */
  const claimants = new Map<string, string>();
  const doing = new AsyncLocalStorage<Doing>();
  /** The requests of the play, by their ids. */
  const requests = new Map<string, { name: string; team: Team }>();
  const nameOf = (id: string) => requests.get(id)?.name ?? 'a request';
  const calls: ServiceCall[] = [];
  const violations: string[] = [];
  const coverage = new Map<string, number>();
  /** The time of each request's creation, by its id. Its `createdAt` may have been read long before. */
  const created = new Map<string, number>();
  /** The round of approval of each request when it was last written. */
  const rounds = new Map<string, number>();
  /** The number of calls that each request had when it was last written. */
  const attempts = new Map<string, number>();
  /** Every card that was ever posted, by its request: "channel ts". */
  const cards = new Map<string, Set<string>>();
  /** Every message that people may have voted on, by its request. */
  const votedOn = new Map<string, Set<string>>();
  /** The threads of cards that are replies in the thread of a customer, by the teams and places of the cards. */
  const threads = new Map<string, string>();
  /** The copies that became links to the message that counts. `at`: when; `people`: who had reacted to them. */
  const links: { request: string; place: string; at: number; people: readonly string[] }[] = [];
  /** The times at which the bot read the reactions of the message to vote on, in order to decide, and which stood then. */
  const voteReads: { request: string; at: number; standing: Set<string> }[] = [];
  const errors: string[] = [];
  /** The number of steps of each request that have been told. */
  const stepsOf = new Map<string, number>();
  /** The states that were written of each request, and when. */
  const states = new Map<string, { at: number; state: string }[]>();
  /** The texts that Slack has shown about each request. */
  const shown = new Map<string, { at: number; text: string }[]>();

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

  function checkBuffer({ id, bufferedEvents }: RequestRecord): void {
    if (bufferedEvents.length > MOST_BUFFERED)
      violated(`buffer: ${bufferedEvents.length} events wait in ${nameOf(id)}`);
  }

  /** A request is created under the policy that is stored at that moment, not under one that was read before. */
  function checkPolicy({ id, kind, approval }: RequestRecord, { policies }: Settings): void {
    if (!isDeepStrictEqual(approval?.policy, policies?.[kind]))
      violated(`policy: ${id} was created under a policy that is not in force`);
  }

  /** A new round of approval begins under the stored policy, too, except for the place where copies of its message may appear. */
  function checkRound({ id, kind, approval }: RequestRecord, { policies }: Settings): void {
    const { round = 0, policy } = approval ?? {};
    const isNew = round > (rounds.get(id) ?? 0);
    rounds.set(id, round);
    if (round < 2 || !isNew || !policies?.[kind]) return;
    const { channel, shownIn } = policies[kind];
    if (!isDeepStrictEqual({ ...policy, channel, shownIn }, policies[kind]))
      violated(`policy: ${nameOf(id)} is to be approved again under a policy that is not in force`);
  }

  /** No call is claimed, and no request is created, while the settings that are stored pause sending. */
  function checkPaused({ id, version, call }: RequestRecord, { paused }: Settings): void {
    const isBegun = call.attempts > (attempts.get(id) ?? 0);
    attempts.set(id, call.attempts);
    if (paused && isBegun) violated(`pause: a call of ${nameOf(id)} was claimed while sending was paused`);
    if (paused && version === 1) violated(`pause: ${nameOf(id)} was created while sending was paused`);
  }

  function noteState({ id, state }: RequestRecord): void {
    const written = states.get(id) ?? [];
    states.set(id, written);
    if (written.at(-1)?.state !== state) written.push({ at: now(), state });
  }

  /** Notes that a message that people may have voted on has lost its mark, so that it is now a link. */
  function noteLink(message: Message): void {
    const place = `${message.channel} ${message.ts}`;
    const [request] = [...votedOn].find(([, places]) => places.has(place)) ?? [];
    if (request === undefined || message.is_tombstone) return;
    links.push({ request, place, at: now(), people: [...message.reactions.values()].flat() });
  }

  return {
    violations,
    coverage,
    calls,
    voteReads,
    cards,
    votedOn,
    links,
    errors,
    shown,
    states,
    violated,
    /** A replica claims an effect: what it sends from now on in this async context belongs to that effect. */
    onClaim(record: RequestRecord): void {
      const { claim, steps } = record;
      if (!claim) return;
      const name = 'messageKey' in claim ? `${claim.effect} ${claim.messageKey}` : claim.effect;
      const decided = steps.findLast(
        ({ state, cause }) =>
          (state === 'queued' || state === 'awaiting_approval') && cause.type !== 'answer',
      );
      const attempt = claim.effect === 'call' ? claim.attempt : 0;
      const { owner, expiresAt } = claim;
      if ((claimants.get(owner) ?? record.id) !== record.id)
        violated(`claim: ${owner} claims for two requests, and so is no name of one run of the loop`);
      claimants.set(owner, record.id);
      const decision = decided?.n ?? 0;
      doing.enterWith({
        about: `${nameOf(record.id)}: ${name}`,
        effect: { request: record.id, state: record.state, name, attempt, decision, expiresAt },
      });
    },
    /** A replica claims an effect of a notice. */
    onNoticeClaim({ claim, type, delivery }: Notice): void {
      if (!claim) return;
      const name = delivery.status === 'owed' ? 'post' : 'find';
      const { expiresAt } = claim;
      const state = `notice ${type}`;
      doing.enterWith({
        about: `${state}: ${name}`,
        effect: { state, name, attempt: 0, decision: 0, expiresAt },
      });
    },
    /** A process writes a call, or changes messages in Slack. Promises 1 and 3: never after its claim has expired. */
    onSend(effect: Effect | undefined, name: string): void {
      if (!effect || !(CHANGES.has(name) || CALLS.has(name)) || now() < effect.expiresAt) return;
      violated(`claim: ${name} for ${effect.request ?? effect.state} was sent after its claim had expired`);
    },
    currentEffect: () => doing.getStore()?.effect,
    /** The present work: an effect, or a delivery of a person or a service; undefined: work in the background. */
    currentWork: () => doing.getStore()?.about,
    /** Runs `work`; what it does belongs to `about` until it claims an effect. */
    deliver: <T>(about: string, work: () => T): T => doing.run({ about }, work),
    /** Names a request by its number in the plan. */
    nameRequest: (id: string, n: number, team: Team) => void requests.set(id, { name: `request ${n}`, team }),
    nameOf,
    /** A fault was injected; `effect`: the one that it hit. */
    onFault(effect: Effect | undefined, boundary: Boundary, fault: string): void {
      const key = cellOf(effect, boundary, fault);
      coverage.set(key, (coverage.get(key) ?? 0) + 1);
    },
    onWrite({ record }: Entry<RequestRecord>, { all, settings, isNew }: Beside): void {
      const step = record.steps.at(-1);
      if (step && step.n > (stepsOf.get(record.id) ?? 0)) {
        stepsOf.set(record.id, step.n);
        trace.tell(now(), () => `${nameOf(record.id)} is ${step.state} (${causeName(step.cause)})`);
      }
      if (isNew) {
        created.set(record.id, now());
        checkPolicy(record, settings);
      }
      checkRound(record, settings);
      noteState(record);
      checkBuffer(record);
      checkPaused(record, settings);
      checkSlot(record, all);
    },
    /** After a failover or a failed commit, requests are in an earlier state again. */
    onRestored(all: Iterable<Entry<RequestRecord>>): void {
      for (const { record } of all) noteState(record);
    },
    /**
     * The calls for a request. After an uninstall, a process that was frozen may create the same request again: the calls
     * for the former one are not its own.
     */
    callsFor: ({ id }: RequestRecord): readonly ServiceCall[] =>
      calls.filter(({ request, at }) => request === id && at >= (created.get(id) ?? 0)),
    onCall(call: Pick<ServiceCall, 'token' | 'operation' | 'id'>): ServiceCall {
      const effect = CALLS.has(call.operation) ? doing.getStore()?.effect : undefined;
      const { request, decision = 0, attempt = 0 } = effect ?? {};
      const serviceCall = { ...call, request, decision, attempt, at: now() };
      calls.push(serviceCall);
      return serviceCall;
    },
    /** The service receives a call. Promises 1, 6 and 8. */
    onReceived(serviceCall: ServiceCall, reply: HttpReply): void {
      serviceCall.status = reply.status;
      trace.tell(
        now(),
        () => `the service receives ${serviceCall.operation} ${serviceCall.id}: ${reply.status}`,
      );
      serviceCall.receivedAt = now();
      serviceCall.body = reply.body;
      if (!CALLS.has(serviceCall.operation)) return;
      const others = calls.filter(
        (each) =>
          each !== serviceCall &&
          each.status !== undefined &&
          each.request === serviceCall.request &&
          each.decision === serviceCall.decision &&
          CALLS.has(each.operation),
      );
      if (others.length > 0) violated(`call: one decision led to two calls about ${serviceCall.id}`);
      if (serviceCall.request && !cards.has(serviceCall.request))
        violated(`card: ${serviceCall.id} was called before its card stood`);
      const owner = organizationOf(serviceCall.token);
      if (owner && owner.id !== requests.get(serviceCall.request ?? '')?.team)
        violated(`isolation: ${serviceCall.id} was called for another workspace`);
    },
    onAnswered(serviceCall: ServiceCall, answer: HttpAnswer, by: SimulatedProcess): void {
      serviceCall.answer = { ...answer, at: now(), by };
      const about = `${serviceCall.operation} ${serviceCall.id}`;
      trace.tell(
        now(),
        () => `${by.name} reads the answer to ${about}: ${answer.status} ${answer.body.slice(0, 80)}`,
      );
    },
    /** Slack shows a message of the bot, new or changed. */
    onMessageShown(message: Message): void {
      const request = markOf(message)?.request;
      if (request === undefined) {
        noteLink(message);
        return;
      }
      const texts = shown.get(request) ?? [];
      shown.set(request, texts);
      texts.push({ at: now(), text: message.text + JSON.stringify(message.blocks ?? []) });
      const key = markOf(message)?.key ?? '';
      trace.tell(now(), () => `${nameOf(request)}: Slack shows ${key}: ${message.text.slice(0, 100)}`);
    },
    onMessagePosted(team: Team, message: Message): void {
      const told = markOf(message);
      if (told && requests.get(told.request)?.team !== team)
        violated(`isolation: a message about ${nameOf(told.request)} was posted in another workspace`);
      const place = `${message.channel} ${message.ts}`;
      const note = (places: Map<string, Set<string>>, request: string) =>
        places.set(request, (places.get(request) ?? new Set()).add(place));
      if (told?.key === CARD) note(cards, told.request);
      if (told?.key === CARD && message.thread_ts !== undefined)
        threads.set(`${team} ${place}`, `${message.channel} ${message.thread_ts}`);
      if (told && isVotedOn(told.key)) note(votedOn, told.request);
    },
    /** Whether a message is in the thread of one of these messages. */
    isInThread: (
      team: Team,
      { channel, thread_ts }: Message,
      places: ReadonlySet<string> = new Set(),
    ): boolean =>
      [...places].some((place) => (threads.get(`${team} ${place}`) ?? place) === `${channel} ${thread_ts}`),
    /** @param renamed the place of a message, from where it was before */
    onChannelMoved(team: Team, renamed: (place: string) => string): void {
      for (const places of [cards, votedOn])
        for (const [request, of] of places)
          if (requests.get(request)?.team === team) places.set(request, new Set([...of].map(renamed)));
    },
    onVotesRead(message: Message): void {
      const standing = [...message.reactions].flatMap(([emoji, users]) =>
        users.map((user) => `${user} ${emoji.split('::', 1)[0]}`),
      );
      const request = String(message.metadata?.event_payload['request']);
      voteReads.push({ request, at: now(), standing: new Set(standing) });
    },
    /** Records programming errors; network and Slack errors are expected. */
    onError(error: unknown): void {
      const isOurs =
        error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
      if (isOurs && error.message !== 'fetch failed') errors.push(String(error.stack));
    },
  };
}
