/** Checks promise 3: each step is posted once, and each message that the record calls posted exists. */
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { KINDS, labelOf, STATES } from '../../support/seen-requests.ts';
import { COPY_REMAINS } from '../tables/log.ts';
import { isMarked } from '../tables/messages.ts';
import { cardIn, isOwnMistake, lastStep, saysUnlisted, votedOnIn } from '../tables/records.ts';
import { TEAMS, type Team, TICKET, workspaceOf } from '../teams.ts';
import { installedSince, requestsOf, timeOf, type World } from '../world/world.ts';
import { isFormerId } from './moved.ts';

export function checkMessages(world: World): void {
  for (const team of TEAMS) {
    const standing = messagesOfBot(world, team);
    checkDoubles(world, team, standing);
    if (installedSince(world, team) === Number.POSITIVE_INFINITY) continue;
    const { channels } = world.slack.of[team].world;
    const all = [...channels.values()].flatMap(({ messages }) => [...messages.values()]);
    const places = new Set(all.filter((each) => !each.is_tombstone).map(placeOf));
    for (const record of requestsOf(world, team)) {
      checkDeliveries(world, team, record, places);
      checkCard(world, team, record);
      checkApprovalMessage(world, team, record);
    }
  }
}

const placeOf = ({ channel, ts }: { channel: string; ts: string }) => `${channel} ${ts}`;

/**
 * Lists the messages that the bot has posted in a workspace since it was installed there, and that still stand. It leaves out
 * the copies that a channel leaves in the other company once it is no longer shared.
 */
export function messagesOfBot(world: World, team: Team): Message[] {
  const { installations, channels, now } = world.slack.of[team].world;
  const workspace = workspaceOf(team);
  const bot = installations.get(workspace)?.bot_user_id;
  const since = installedSince(world, team) + now() - world.scheduler.now();
  return [...channels.values()].flatMap(({ team_id, messages }) =>
    [...messages.values()].filter(
      ({ user, ts, is_tombstone }) =>
        team_id === workspace && user === bot && !is_tombstone && Number(ts) * 1_000 >= since,
    ),
  );
}

/** Slack opens no direct message with a deactivated person, so the bot cannot remove copies there; nobody reads them. */
function canBeRead({ slack }: World, team: Team, { channel: id }: Message): boolean {
  const { channels, users } = slack.of[team].world;
  const channel = channels.get(id);
  return channel?.kind !== 'im' || ![...channel.members].some((user) => users.get(user)?.deleted);
}

/** Slack lets nobody remove a copy in an archived channel: then the log says that the copy remains. */
function isInArchive(world: World, team: Team, copies: readonly Message[]) {
  const from = Math.max(...copies.map(({ ts }) => timeOf(world, ts)));
  const why = ['archived', 'approvals archived'] as const;
  const archived = world.spans.find({ why, team, from, to: Number.POSITIVE_INFINITY });
  return archived.some((span) =>
    world.errorLines.some(
      ({ at, message }) => at >= span.from && at <= span.to && COPY_REMAINS.test(message),
    ),
  );
}

function checkDoubles(world: World, team: Team, standing: readonly Message[]): void {
  const marked = standing.filter((message) => isMarked(message) && canBeRead(world, team, message));
  const byKey = Map.groupBy(marked, ({ metadata }) => JSON.stringify(metadata?.event_payload));
  for (const [key, messages] of byKey) {
    if (messages.length < 2 || isInArchive(world, team, messages)) continue;
    const about = world.witness.nameOf(String(messages[0]?.metadata?.event_payload['request']));
    world.witness.violated(
      `message: ${messages.length} times ${about} ${key} "${messages[0]?.text.slice(0, 80)}"`,
    );
  }
}

function checkDeliveries(world: World, team: Team, record: RequestRecord, places: ReadonlySet<string>): void {
  const { witness, deleted } = world;
  for (const { type, delivery } of record.messages) {
    if (delivery.status !== 'posted' || isFormerId(world, team, delivery.channel)) continue;
    const place = placeOf(delivery);
    if (!places.has(place) && !deleted.has(`${team} ${place}`))
      witness.violated(`message: the ${type} of ${witness.nameOf(record.id)} does not exist`);
  }
}

/** The texts of a message's blocks. That of a card's heading is the first one. */
function textsOf({ blocks = [] }: Message): string[] {
  return blocks.flatMap((block) =>
    'text' in block && typeof block.text === 'object' ? [block.text.text] : [],
  );
}

/** The labels of a message's buttons. */
const buttonsOf = ({ blocks = [] }: Message): string[] =>
  blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []))
      : [],
  );

type Location = { channel: string; ts: string };

/** Returns the message at a location; undefined: it is gone, or in a channel that is still archived. */
function seenNow({ slack }: World, team: Team, location: Location | undefined) {
  const channel = location && slack.of[team].world.channels.get(location.channel);
  const message = location && channel?.messages.get(location.ts);
  return message?.is_tombstone || channel?.is_archived ? undefined : message;
}

/** Checks that the card names what is to be done, shows the current state of the request, and has the buttons of that. */
function checkCard(world: World, team: Team, record: RequestRecord): void {
  const { witness } = world;
  const message = seenNow(world, team, cardIn(record)?.location);
  if (!message) return;
  const name = witness.nameOf(record.id);
  const { thread } = world.submissions.find(({ id }) => id === record.id) ?? {};
  if (thread !== undefined && message.thread_ts !== thread)
    witness.violated(`card: of ${name} it is not in the thread of the message that it was made from`);
  if (isOwnMistake(record, lastStep(record))) {
    if (message.blocks?.length !== 1) witness.violated(`card: of ${name} a mistake has more than one line`);
    return;
  }
  checkHeading(world, record, message);
  checkTicket(world, team, record, message);
  const { button } = STATES[record.state] ?? {};
  const buttons = buttonsOf(message);
  if (button && !buttons.some((each) => button.test(each)))
    witness.violated(`card: of ${name}, which is ${record.state}, it offers only "${buttons.join('", "')}"`);
}

/** Checks that approvers are asked to vote as long as the request awaits that, and no longer. */
function checkApprovalMessage(world: World, team: Team, record: RequestRecord): void {
  const { type, location } = votedOnIn(record) ?? {};
  const message = type === 'approval' ? seenNow(world, team, location) : undefined;
  if (!message) return;
  const isAsked = buttonsOf(message).includes('Approve');
  if (isAsked !== (record.state === 'awaiting_approval'))
    world.witness.violated(
      `approval message: of ${world.witness.nameOf(record.id)}, which is ${record.state}, it ${isAsked ? 'asks' : 'does not ask'} for votes`,
    );
}

/** An open request links its ticket, as long as no other company reads that. */
function checkTicket({ spans, witness }: World, team: Team, record: RequestRecord, message: Message): void {
  const isShared = spans.all.some((span) => span.why === 'shared' && span.team === team);
  if (record.ticket === undefined || isShared || !STATES[record.state]?.isOpen) return;
  if (!JSON.stringify(message.blocks).includes(TICKET))
    witness.violated(`card: of ${witness.nameOf(record.id)} it does not link the ticket`);
}

/** The label of a request that the service has accepted without telling its outcome. */
const ACCEPTED = /^Accepted/;

/** Checks the heading of a card: large while the request is open, and one line with an emoji once it has ended. */
function checkHeading({ witness }: World, record: RequestRecord, message: Message): void {
  const name = witness.nameOf(record.id);
  const [heading = ''] = textsOf(message);
  const { isOpen } = STATES[record.state] ?? {};
  const label = saysUnlisted(record) ? ACCEPTED : (labelOf(record) ?? /^$/);
  const deed = `${KINDS[record.kind].deed} ${record.target}`;
  const [named = '', state = ''] = heading.split(' · ');
  if (named !== (isOpen ? deed : `*${deed}*`) || !message.text.startsWith(`${deed}: `))
    witness.violated(`card: of ${name} it is headed "${heading}", which does not name "${deed}"`);
  if (!label.test(state.split('\n', 1)[0]?.replace(/^:\w+: /, '') ?? ''))
    witness.violated(`card: of ${name} it is headed "${heading}", and the request is ${record.state}`);
}
