/**
 * Checks that people are warned before they request what is done already, that the refusal of a repeated request is not called a
 * mistake, and that nothing is sent again which the service refuses for good.
 */
import type { RequestRecord, Step } from '../../../../src/requests/model/record.ts';
import { UNLISTED } from '../../draw/event-shapes.ts';
import type { Why } from '../../spans.ts';
import { lastStep } from '../../tables/records.ts';
import { BLAMES_EARLIER_REQUEST, DONE_BY, isAboutToken, isFinal } from '../../tables/refusals.ts';
import { TEAMS, type Team } from '../../teams.ts';
import { requestsOf, type World } from '../../world/world.ts';
import { wasCalled, wasDone } from './submissions.ts';

type Submission = World['submissions'][number];

export function checkRepetitions(world: World): void {
  for (const submission of world.submissions) checkWarned(world, submission);
  for (const confirmed of world.confirmed) checkWarnedOfRetry(world, confirmed);
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      checkBlamed(world, team, record);
      for (const step of record.steps) checkRetried(world, record, step);
    }
}

/** Checks a request that was made without a warning, although the only other one for the same was done before it. */
function checkWarned(world: World, submission: Submission): void {
  const { acknowledged, answers, at: submitted, team, slot, kind, name } = submission;
  const created = answers.find(({ type }) => type === 'created');
  if (!created || acknowledged !== undefined) return;
  const others = world.submissions.filter(
    ({ id, slot: theirs }) => theirs === slot && id !== submission.id && world.witness.states.has(id),
  );
  const [other] = others;
  const states = world.witness.states.get(other?.id ?? '') ?? [];
  const last = states.findLast(({ at }) => at <= created.at);
  if (others.length !== 1 || !last || last.at >= submitted || !DONE_BY[kind].has(last.state)) return;
  // A failover undoes writes, and an uninstall removes the other one.
  const why = ['failover', 'uninstalled'] as const;
  if (world.spans.find({ why, team, from: 0, to: created.at }).length > 0) return;
  world.witness.violated(`request: ${name} was made, and nobody said that it was ${last.state} before`);
}

/** Checks that a person who retried a request was warned only of another one that was done, or that may have been done. */
function checkWarnedOfRetry(
  { submissions, witness }: World,
  { request, answers }: World['confirmed'][number],
): void {
  const retried = submissions.find(({ id }) => id === request);
  const others = submissions.filter(({ id, slot }) => id !== request && slot === retried?.slot);
  for (const { type, at } of answers) {
    const isRight = ({ id }: Submission): boolean => {
      const states = witness.states.get(id);
      if (type === 'maybe_done_before') return wasCalled(states, at);
      return type !== 'done_before' || (retried !== undefined && wasDone(states, retried, at));
    };
    if (type.endsWith('done_before') && !others.some(isRight))
      witness.violated(
        `retry: of ${witness.nameOf(request)} was held up (${type}), and nothing gives a reason for it`,
      );
  }
}

/** Whether an unlisted word may have made an outcome uncertain, which changes no state. */
const isDoubted = ({ serviceEvents }: World): boolean =>
  serviceEvents.some(({ status }) => status === UNLISTED.toLowerCase());

/** Reasons for which the card may not show what became of the request. */
const CARD_GONE: readonly Why[] = ['archived', 'deleted', 'shared', 'uninstalled'];

/** Checks the card of a refused request that somebody made although it was done already. */
function checkBlamed(world: World, team: Team, record: RequestRecord): void {
  const { submissions, witness, spans } = world;
  const { acknowledged, answers = [] } = submissions.find(({ id }) => id === record.id) ?? {};
  const { state, cause } = lastStep(record);
  // A process that was frozen may have made it without the warning.
  if (acknowledged === undefined || answers.some(({ type, isWarned }) => !isWarned && type !== 'done_before'))
    return;
  if (state !== 'failed' || cause.type !== 'answer' || cause.answer.type !== 'refused') return;
  const warned = answers.find(({ type }) => type === 'done_before')?.at ?? 0;
  const isChanged =
    isDoubted(world) || (witness.states.get(acknowledged)?.some(({ at }) => at > warned) ?? true);
  const shown = witness.shown.get(record.id) ?? [];
  const since = { team, from: record.createdAt, to: Number.POSITIVE_INFINITY };
  if (isChanged || isAboutToken(cause.answer) || spans.find({ why: CARD_GONE, ...since }).length > 0) return;
  if (!shown.some(({ text }) => BLAMES_EARLIER_REQUEST.test(text)))
    witness.violated(
      `card: of ${witness.nameOf(record.id)} it does not say that another one was done before`,
    );
}

/** Checks a step by which a person sends a refused request again. */
function checkRetried({ witness }: World, { id, steps }: RequestRecord, { n, cause }: Step): void {
  const isRetry =
    cause.type === 'approval_requested_again' || (cause.type === 'person' && cause.action === 'retry');
  const before = steps[n - 2];
  if (!isRetry || before?.state !== 'failed' || before.cause.type !== 'answer') return;
  const { answer } = before.cause;
  if (answer.type === 'refused' && isFinal(answer))
    witness.violated(`retry: ${witness.nameOf(id)} was sent again after "${answer.code}"`);
}
