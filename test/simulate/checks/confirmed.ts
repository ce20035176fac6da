/** Checks that whatever a person confirmed about a request was done, or that they were told why not. */
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';
import { FAULTS } from '../spans.ts';
import { ENDS_IT, WITHDRAWABLE } from '../tables/requests.ts';
import type { World } from '../world/world.ts';

type Confirmed = World['confirmed'][number];

export function checkConfirmed(world: World): void {
  const stored = new Map([...world.stored.requests.entries()].map(({ record }) => [record.id, record]));
  checkVotes(world, stored);
  for (const confirmed of world.confirmed) {
    const record = stored.get(confirmed.request);
    // Nothing is left of an uninstalled workspace, as uninstalled.ts checks.
    if (!record) continue;
    const { answers, act, by } = confirmed;
    const name = world.witness.nameOf(record.id);
    const violated = (what: string) =>
      world.witness.violated(`confirmed: ${act} of ${name} by ${by} ${what}`);
    if (answers.length === 0 && !hasMetFault(world, confirmed)) violated('was never answered');
    if (answers.some(({ type }) => type === 'done')) checkDone(world, record, confirmed, violated);
    for (const answer of answers)
      if (answer.type === 'too_late') checkLate(record, confirmed, answer, violated);
  }
}

/** Checks votes by buttons and forms: each is in the history, or its voter was told why not. */
function checkVotes(world: World, stored: ReadonlyMap<string, RequestRecord>): void {
  for (const pressed of world.presses) {
    const record = stored.get(pressed.request);
    if (!record) continue;
    const name = world.witness.nameOf(record.id);
    const violated = (what: string) =>
      world.witness.violated(`confirmed: the vote of ${pressed.by} on ${name} ${what}`);
    if (pressed.answer === undefined && !hasMetFault(world, pressed)) violated('was never answered');
    if (pressed.added) checkVote(record, pressed, violated);
  }
}

function checkVote(
  { approval, lateActions }: RequestRecord,
  { by, choice, answer }: World['presses'][number],
  violated: (what: string) => void,
): void {
  const isKept = approval?.history.some(
    (entry) => entry.by === by && entry.choice === choice && entry.type !== 'refused',
  );
  const isCounted = answer === 'counted' || answer === 'declined';
  if (isCounted && !isKept && !approval?.decision?.by.includes(by))
    violated('was counted, and is not in the history');
  const isLate = lateActions.some((late) => late.by === by && /^(approve|decline)$/.test(late.action));
  if (answer === 'too_late' && !isLate) violated('came too late, and the history does not say so');
}

/** Longer than the three seconds after which Slack gives a click up; a person tries it once. */
const ANSWERED_WITHIN_MS = 10_000;

/** Whether a fault hit the workspace around that time, or it was gone. Any work there counts, as reads of Slack are shared. */
const hasMetFault = ({ spans }: World, { team, at }: Pick<Confirmed, 'team' | 'at'>): boolean =>
  spans.find({
    why: [...FAULTS, 'uninstalled', 'stopped'],
    team,
    from: at - ANSWERED_WITHIN_MS,
    to: at + ANSWERED_WITHIN_MS,
  }).length > 0;

/** The acts by which a request is sent again, perhaps after a new approval. */
const RESENDS: ReadonlySet<string> = new Set(['retry', 'not_received']);

const resends = (cause: Step['cause']): boolean =>
  cause.type === 'approval_requested_again' || (cause.type === 'person' && RESENDS.has(cause.action));

/**
 * Checks that an act that was acknowledged stands in the history under the person's name, and that an ended request is not
 * sent.
 */
function checkDone(
  world: World,
  record: RequestRecord,
  { act, by, answers }: Confirmed,
  violated: (what: string) => void,
): void {
  const isTheirs = ({ cause }: Step) =>
    (cause.type === 'person' && cause.action === act && cause.by === by) ||
    (cause.type === 'approval_requested_again' && cause.by === by && RESENDS.has(act));
  if (!record.steps.some(isTheirs)) violated('was acknowledged, and is not done');
  const done = Math.min(...answers.filter(({ type }) => type === 'done').map(({ at }) => at));
  // A process that was frozen may begin a call afterwards, and write nothing.
  const calls = world.witness.callsFor(record);
  // The service may open a closed request again, and then a person may send it again.
  const isResent = (sentAt: number) =>
    record.steps.some(({ at, cause }) => at > done && at <= sentAt && resends(cause));
  const isSent = calls.some(({ at, receivedAt }) => at > done && receivedAt !== undefined && !isResent(at));
  if (ENDS_IT.has(act) && isSent) violated('was acknowledged, and it was sent afterwards');
}

/** Checks that an act that came too late stands in the history, and that a withdrawal is not refused while it is possible. */
function checkLate(
  record: RequestRecord,
  { act, by }: Confirmed,
  during: Confirmed['answers'][number],
  violated: (what: string) => void,
): void {
  if (!record.lateActions.some((late) => late.by === by && late.action === act))
    violated('came too late, and the history does not say so');
  const states = statesDuring(record, during);
  if (act === 'withdraw' && states.every((state) => WITHDRAWABLE.has(state)))
    violated(`was refused as too late, though the request was ${states.join(', ')}`);
}

/** The states of a request during a try: the stored one at its beginning, and those that it may have entered since. */
const statesDuring = ({ steps }: RequestRecord, { step, at }: Confirmed['answers'][number]): string[] => [
  ...(step ? [step.state] : []),
  ...steps.filter(({ n, at: entered }) => n > (step?.n ?? 0) && entered <= at).map(({ state }) => state),
];
