/** Checks promise 9: the final state of each request agrees with the order service. */
import type { OrderRequest } from '../../../sandbox/order-service/organization.ts';
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';
import { KINDS, topicOf, WORDS } from '../../support/seen-requests.ts';
import { FAULTS, type Why } from '../spans.ts';
import { isDecision, isPlain, isRepeated, lastWords } from '../tables/events.ts';
import { callInDoubt, lastStep, saysUnsent } from '../tables/records.ts';
import { SAME_MOMENT_MS } from '../tables/requests.ts';
import { TEAMS, type Team } from '../teams.ts';
import type { ServiceCall } from '../witness/witness.ts';
import { requestsOf, type World } from '../world/world.ts';

export function checkOutcomes(world: World): void {
  checkTaken(world);
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      const about = { world, team, record, name: world.witness.nameOf(record.id) };
      const calls = world.witness.callsFor(record);
      checkClaims(about, calls);
      checkDenials(about, calls);
      checkKnown(about, calls);
      checkDoubt(about);
    }
}

/** Reasons for which the address or the secret of the events may be an outdated one. */
const WITHOUT_ENDPOINT: readonly Why[] = ['disconnected', 'connecting anew', 'uninstalled', 'failover'];

/** Checks that every event was acknowledged in the end, whatever its form: the service repeats it for hours. */
function checkTaken({ serviceEvents, spans, witness }: World): void {
  for (const { team, order, status, isAcknowledged } of serviceEvents) {
    const query = { why: WITHOUT_ENDPOINT, team, from: 0, to: Number.POSITIVE_INFINITY };
    if (!isAcknowledged && spans.find(query).length === 0)
      witness.violated(`event: ${team} never took that ${order} is ${status}`);
  }
}

type About = { world: World; team: Team; record: RequestRecord; name: string };

const isAccepted = ({ status }: ServiceCall): boolean => status !== undefined && status < 300;

/**
 * Whether a call that the bot had given up arrived after the last one, which a person had sent in its place: nobody tells the
 * bot.
 */
function isOvertaken(calls: readonly ServiceCall[]): boolean {
  const last = calls.at(-1)?.receivedAt ?? 0;
  return calls.some((call) => isAccepted(call) && !call.answer && (call.receivedAt ?? 0) > last);
}

/** Checks that the state of a request is the one at the service, unless a person has recorded another. */
function checkClaims(about: About, calls: readonly ServiceCall[]): void {
  const { world, record, name } = about;
  const { witness } = world;
  const { state } = record;
  // An event may have had no endpoint, if the workspace was disconnected.
  if (eventsOf(about).some(({ isAcknowledged }) => !isAcknowledged)) return;
  const held = heldBy(about, calls);
  const told = toldOf(about, calls);
  const { cause } = lastStep(record);
  const isPersons = cause.type === 'person';
  const isHeldDone = isDone(held) || [...told].some(isDone);
  if (isDone(state) && !isPersons && !(isHeldDone && wordsAbout(record).includes(state)))
    witness.violated(`outcome: ${name} is said to be ${state}, and is ${held}`);
  const isHeldDenied = held === 'denied' || told.has('denied');
  if (state === 'denied' && !isPersons && !isHeldDenied && isOnly(about) && !isOvertaken(calls))
    witness.violated(`outcome: ${name} is said to be denied, and is ${held}`);
  if (state === 'failed' && !isPersons && calls.some(isAccepted))
    witness.violated(`outcome: ${name} is said to be refused, and was accepted`);
  if (saysUnsent(record) && calls.some(isAccepted))
    witness.violated(`outcome: nothing of ${name} is said to be received, and it was accepted`);
}

/** Checks that nobody was told of a denial from before a call that the service had taken by then, and perhaps not decided. */
function checkDenials({ world, record, name }: About, calls: readonly ServiceCall[]): void {
  for (const { state, at, cause } of record.steps) {
    if (state !== 'denied' || cause.type !== 'event' || cause.event.updatedAt === undefined) continue;
    const taken = calls.filter((call) => isAccepted(call) && (call.receivedAt ?? at) < at);
    const times = taken.map(({ body }) => Date.parse((body as Taken).requestedAt ?? ''));
    const last = Math.max(...times.filter(Number.isFinite));
    if (cause.event.updatedAt + SAME_MOMENT_MS < last)
      world.witness.violated(`outcome: ${name} was said to be denied by a word from before its last call`);
  }
}

/** The answer to a cancellation that the service has taken. */
type Taken = { requestedAt?: string };

/** The events about the order of a request. */
const eventsOf = ({ world, team, record: { target } }: About) =>
  world.serviceEvents.filter((each) => each.team === team && each.order === target);

/**
 * The words that may count as the last one if the service has sent events in odd forms: an older one without a time that
 * arrives last, or one before an unlisted word, which may be that of the answer. Without a time of the request, too, an event may
 * count for another request. Two requests, or two calls of one, may share a review that the service has answered both with.
 */
function toldOf(about: About, calls: readonly ServiceCall[]): ReadonlySet<string> {
  const events = eventsOf(about);
  const isShared = about.world.service.answersAgain && (!isOnly(about) || calls.length > 1);
  if (events.every(isPlain) && !isShared) return new Set();
  if (!isOnly(about) || isShared) return new Set(events.map(({ status }) => status));
  return events.some(isDecision) ? lastWords(events) : new Set([...lastWords(events), ...calls.map(wordOf)]);
}

/** The status in the service's answer to the cancellation of an order; the service tells of no other request in events. */
const wordOf = ({ body }: ServiceCall): string =>
  (body as { cancellationStatus?: string } | undefined)?.cancellationStatus ?? 'untouched';

/** Whether a person has recorded that the service did not receive a call: what it said before does not count any more. */
const isDenial = ({ cause }: Step): boolean => cause.type === 'person' && cause.action === 'never_received';

/** Checks that an outcome is unknown only if something kept an answer from the bot, to this call or to an earlier one. */
function checkDoubt({ world, team, record: { steps, createdAt: from }, name }: About): void {
  for (const [n, { state, at, cause }] of steps.entries()) {
    const before = steps[n - 1];
    if (state !== 'unknown' || cause.type !== 'answer' || before?.state !== 'calling') continue;
    if (steps.slice(0, n).some(isDenial)) continue;
    const why = world.spans.find({ why: FAULTS, team, from, to: at });
    if (why.length === 0) world.witness.violated(`known: ${name} is unknown, and nothing kept its answer`);
  }
}

/** Whether this is the only request for its target; else the status at the service may come from another one. */
const isOnly = ({ world, team, record: { target } }: About): boolean =>
  requestsOf(world, team).filter((record) => record.target === target).length === 1;

const isDone = (word: string): boolean =>
  Object.entries(WORDS).some(([of, says]) => of === word && says === 'done');

const wordsAbout = ({ kind }: RequestRecord): readonly string[] => KINDS[kind].words;

/** The service's status of a request, `untouched` if it has none. */
function heldBy({ world, team, record }: About, calls: readonly ServiceCall[]): string {
  const { kind, target } = record;
  const organization = world.service.organizations.get(team);
  switch (KINDS[kind].keptIn) {
    case 'order': {
      const requests: Partial<Record<string, OrderRequest>> =
        organization?.orders.get(target)?.requests ?? {};
      return requests[kind]?.status ?? 'untouched';
    }
    case 'status':
      return organization?.offers.get(target)?.status ?? 'untouched';
    case 'answer':
      return (calls.some(isAccepted) && wordsAbout(record).find(isDone)) || 'untouched';
  }
}

/** The time within which a process saves an answer, apart from freezes and stalls. If it crashes before, the answer is lost. */
const WRITTEN_WITHIN_MS = 5 * 60_000;

/** Whether a process has read the answer to a call, and has lived long enough to save it. */
function isAnswerKnown({ spans }: World, { answer, body }: ServiceCall): boolean {
  if (!answer || answer.status >= 300 || answer.body !== JSON.stringify(body)) return false;
  const from = answer.at;
  const to = spans.settled({ why: ['freeze', 'storage'], from }, WRITTEN_WITHIN_MS) + WRITTEN_WITHIN_MS;
  // A write just before a failover may be lost.
  return spans.find({ why: ['failover'], from, to }).length === 0 && answer.by.endedAt() > to;
}

/** Whether a later call than this one is in doubt. What the service said before it says nothing about it. */
function isFollowedByDoubt(record: RequestRecord, { attempt }: ServiceCall): boolean {
  const begun = record.steps.filter(({ state }) => state === 'calling')[attempt - 1];
  const inDoubt = callInDoubt(record);
  return begun !== undefined && inDoubt !== undefined && inDoubt.n > begun.n;
}

/** Checks that nothing known is dropped: answers that arrived and acknowledged events are applied. */
function checkKnown(about: About, calls: readonly ServiceCall[]): void {
  const { world, record, name } = about;
  const { witness } = world;
  const { state, kind } = record;
  const last = calls.at(-1);
  const held = heldBy(about, calls);
  const isCanceled = held === 'approved' || held === 'canceled';
  const isOpenAnyway = last && !isCanceled && isFollowedByDoubt(record, last);
  if (state === 'unknown' && last && isAnswerKnown(world, last) && !isOpenAnyway)
    witness.violated(`known: the answer about ${name} has come, and it is still unknown`);
  const topic = topicOf(kind);
  if (topic === undefined) return;
  const outweighed = [callInDoubt(record), record.steps.findLast(isDenial)].map((step) => step?.at ?? 0);
  const since = isCanceled ? 0 : Math.max(...outweighed);
  // A review may be reopened, and the last event may have had no endpoint: an earlier one says nothing of it.
  const events = eventsOf(about).filter((each) => each.topic.startsWith(`${topic}.`));
  const news = events.at(-1);
  const isNew = news !== undefined && news.at >= since && !isRepeated(news, events);
  const isReported = isNew && news.status === held && news.isAcknowledged;
  const isOpen =
    state === 'unknown' ||
    (state === 'under_review' && held !== 'pending' && !toldOf(about, calls).has('pending'));
  if (isOpen && isReported && calls.some(isAccepted) && isOnly(about))
    witness.violated(`event: ${name} is ${held}, the bot acknowledged the event, and says ${state}`);
}
