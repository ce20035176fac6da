/** Checks promise 3, and that nothing which happened is kept from people: each step is told once, in its thread, in its words. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import type { RequestRecord, Step } from '../../../../src/requests/model/record.ts';
import type { Plan } from '../../draw/plan.ts';
import { stepOf } from '../../tables/messages.ts';
import { APPROVED, STATES } from '../../tables/requests.ts';
import { idOf, TEAMS } from '../../teams.ts';
import type { World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';

/**
 * From the step, or from the end of the faults. A post in doubt is searched for after half a minute; where Slack refuses the
 * search, the reply goes elsewhere after five; and Slack may ask for a wait of seven.
 */
const TOLD_WITHIN_MS = 30 * 60_000;

export function checkReplies(world: World, plan: Plan): void {
  const posted = Map.groupBy(messagesOfBot(world), (message) => JSON.stringify(stepOf(message)));
  for (const { record } of world.stored.requests.entries()) {
    if (!isInstalled(world, record)) continue;
    for (const step of record.steps) {
      const expected = replyTo(step);
      const [told] = posted.get(JSON.stringify({ request: record.id, step: `${step.n}` })) ?? [];
      if (told && !expected) world.witness.violated(`reply: ${record.target} has one for ${step.state}`);
      if (expected) checkReply({ world, plan, record, step }, told, expected);
    }
  }
}

/** Whether the app has been installed all the time: otherwise the bot can't see its former messages, or post any. */
const isInstalled = ({ slack, reinstalled }: World, { workspace }: RequestRecord): boolean =>
  slack.world.installations.get(workspace)?.status === 'active' &&
  !TEAMS.some((team) => reinstalled.has(team) && idOf('T', team) === workspace);

/** The text that a step owes to the requester; undefined: the card says enough. */
const replyTo = ({ state, cause }: Step): RegExp | undefined =>
  cause.type === 'decision' && cause.choice === 'yes' ? APPROVED : STATES[state]?.reply;

type Told = { world: World; plan: Plan; record: RequestRecord; step: Step };

function checkReply({ world, plan, record, step }: Told, told: Message | undefined, expected: RegExp): void {
  const { witness, recoveredAt = 0, slack, scheduler } = world;
  const what = `${record.target}, for step ${step.n} (${step.state})`;
  if (!told) {
    witness.violated(`reply: none about ${what}`);
    return;
  }
  if (!expected.test(withoutAddress(told.text)))
    witness.violated(`reply: about ${what} it says "${told.text}"`);
  const slackAhead = slack.world.now() - scheduler.now();
  const late = Number(told.ts) * 1_000 - slackAhead - Math.max(step.at, recoveredAt);
  if (late > TOLD_WITHIN_MS) witness.violated(`reply: about ${what} it came ${late} ms late`);
  const isDirect = slack.world.channels.get(told.channel)?.kind === 'im';
  if (isDirect) {
    if (!mayBeDirect({ world, plan, record, step }, told))
      witness.violated(`reply: about ${what} it is a direct message`);
  } else if (!witness.cards.get(record.id)?.has(`${told.channel} ${told.thread_ts}`))
    witness.violated(`reply: about ${what} it is not in its thread`);
}

/** Removes whom a text is for from its beginning: a mention in the thread, or the request's name in a direct message. */
const withoutAddress = (text: string): string => text.replace(/^(<@\w+>|\*[^*]+\*): /, '');

/** Acts after which nobody can read the thread, or the bot can't post in it. */
const CLOSING_ACTS: readonly string[] = ['archive', 'share', 'delete_card'];

/** Whether a reply may reach the requester alone: there is no thread for it, or the bot may not know of it yet. */
function mayBeDirect({ world, plan: { acts }, record, step }: Told, { channel }: Message): boolean {
  const { slack, choices, witness } = world;
  if (!slack.world.channels.get(channel)?.members.has(record.requester)) return false;
  if (!witness.cards.has(record.id)) return true;
  // A fault may leave a card in doubt that stands, and so may a person who acts while it is being posted.
  const isDoubted = choices.taken().length > 0 || step.at - cardPostedAt(witness, record) < POSTED_WITHIN_MS;
  return isDoubted || acts.some(({ type }) => CLOSING_ACTS.includes(type)) || record.state === 'failed';
}

const POSTED_WITHIN_MS = 10_000;

function cardPostedAt({ cards }: World['witness'], { id }: RequestRecord): number {
  const posted = [...(cards.get(id) ?? [])].map((place) => Number(place.split(' ')[1]) * 1_000);
  return Math.min(...posted);
}
