/**
 * Checks the reply to a refusal that leaves the outcome unknown: it names an earlier call while one may have been received, and
 * no longer once the service is known to have refused each earlier call.
 */
import type { RequestRecord, Step } from '../../../../src/requests/model/record.ts';
import type { Why } from '../../spans.ts';
import { markOf } from '../../tables/messages.ts';
import { NAMES_EARLIER_CALL } from '../../tables/requests.ts';
import { TEAMS, type Team } from '../../teams.ts';
import type { ServiceCall } from '../../witness/witness.ts';
import { installedSince, requestsOf, timeOf, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';

/** The time from the arrival of an answer until it is saved, if nothing holds the process or the storage up. */
const WRITTEN_WITHIN_MS = 5_000;
const NOT_WRITTEN: readonly Why[] = ['crash', 'freeze', 'storage', 'failover', 'stopped'];

type About = { world: World; team: Team; record: RequestRecord; step: Step; attempt: number };

export function checkEarlierCalls(world: World): void {
  for (const team of TEAMS) {
    const since = installedSince(world, team);
    const posted = new Map(
      messagesOfBot(world, team).map((message) => [JSON.stringify(markOf(message)), message] as const),
    );
    for (const record of requestsOf(world, team).filter(({ createdAt }) => createdAt >= since))
      for (const step of record.steps) {
        const told = posted.get(JSON.stringify({ request: record.id, key: `reply:${step.n}` }));
        const attempt = attemptRefusedInDoubt(step);
        if (told && attempt !== undefined) checkText({ world, team, record, step, attempt }, told);
      }
  }
}

/** The number of the call whose refusal leaves the outcome unknown. */
function attemptRefusedInDoubt({ state, cause }: Step): number | undefined {
  if (state !== 'unknown' || cause.type !== 'answer') return undefined;
  return cause.answer.type === 'refused' ? cause.attempt : undefined;
}

function checkText(
  { world, team, record, step, attempt }: About,
  { text, ts }: { text: string; ts: string },
): void {
  const { witness } = world;
  const at = timeOf(world, ts);
  const earlier = witness.callsFor(record).filter((call) => call.attempt < attempt);
  const received = earlier.filter(({ receivedAt = Number.POSITIVE_INFINITY }) => receivedAt < at);
  const isNamed = NAMES_EARLIER_CALL.test(text);
  const name = `${witness.nameOf(record.id)}, step ${step.n}`;
  if (!isNamed && !received.every(isRefusalRead))
    witness.violated(`reply: about ${name} it leaves an earlier call out: "${text}"`);
  // If an earlier call failed at the service or has no answer, the bot can't know whether it was received.
  const sent = sentAt(world, team, `${witness.nameOf(record.id)}: post reply:${step.n}`, at);
  const isKnown =
    earlier.every((call) => isWritten(world, team, call, sent)) && !isOneUnseen(record, earlier, attempt);
  if (isNamed && received.length > 0 && isKnown)
    witness.violated(`reply: about ${name} it blames an earlier call that was refused: "${text}"`);
}

/** Whether an earlier call has no answer and was never sent, because its process was interrupted: the bot can't know that. */
const isOneUnseen = ({ steps }: RequestRecord, sent: readonly ServiceCall[], before: number): boolean =>
  steps.some(
    ({ cause }) =>
      cause.type === 'answer' &&
      cause.answer.type === 'no_answer' &&
      cause.attempt < before &&
      !sent.some(({ attempt }) => attempt === cause.attempt),
  );

/** The time at which the bot sent a message that Slack posted at `at`: the network may have held it up. */
function sentAt({ spans }: World, team: Team, about: string, at: number): number {
  const held = spans.find({ why: ['network'], team, about, from: at, to: at });
  return Math.min(at, ...held.map(({ from }) => from));
}

const isRefusalRead = ({ answer }: ServiceCall): boolean =>
  answer !== undefined && answer.status >= 400 && answer.status < 500;

/** Whether a refusal was read, and certainly written, before a moment. */
function isWritten({ spans }: World, team: Team, call: ServiceCall, before: number): boolean {
  if (!call.answer || !isRefusalRead(call)) return false;
  // A process reads what has arrived right after its freeze.
  const written = { from: call.answer.at + 1, to: call.answer.at + WRITTEN_WITHIN_MS };
  return written.to < before && spans.find({ why: NOT_WRITTEN, team, ...written }).length === 0;
}
