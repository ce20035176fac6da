/** Checks promise 3: each step is posted once, and each message that the record calls posted exists. */
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import { isMarked } from '../tables/messages.ts';
import { messagesOf } from '../tables/records.ts';
import { KINDS, STATES } from '../tables/requests.ts';
import { idOf, TEAMS } from '../teams.ts';
import type { World } from '../world/world.ts';

const locationKeyOf = ({ channel, ts }: { channel: string; ts: string }) => `${channel} ${ts}`;

export function checkMessages(world: World, plan: Plan): void {
  const standing = messagesOfBot(world);
  checkDoubles(world, standing);
  const locations = new Set(standing.map(locationKeyOf));
  const bots = new Set(standing.map(({ bot_id }) => bot_id));
  for (const { record } of world.stored.requests.entries()) {
    const bot = world.slack.world.installations.get(record.workspace)?.bot_id;
    if (!bots.has(bot)) continue;
    checkDeliveries(world, record, locations);
    if (!wasArchived(plan, record)) checkCard(world, record);
  }
}

/**
 * Lists the existing messages of the bot. It leaves out those of a workspace that has uninstalled the app, where the bot can
 * no longer remove copies, and the copies that a channel leaves in the other workspace once it is no longer shared.
 */
export function messagesOfBot({ slack, reinstalled }: World): Message[] {
  const { installations, channels } = slack.world;
  const bots = new Map(
    [...installations.values()]
      .filter(
        ({ status, team_id }) =>
          status === 'active' && !TEAMS.some((team) => reinstalled.has(team) && idOf('T', team) === team_id),
      )
      .map(({ bot_id, team_id }) => [bot_id, team_id]),
  );
  return [...channels.values()].flatMap(({ team_id, messages }) =>
    [...messages.values()].filter((each) => !each.is_tombstone && bots.get(each.bot_id ?? '') === team_id),
  );
}

/** Slack opens no direct message with a deactivated person, so the bot cannot remove copies there; nobody reads them. */
function canBeRead({ slack }: World, { channel: id }: Message): boolean {
  const { channels, users } = slack.world;
  const channel = channels.get(id);
  return channel?.kind !== 'im' || ![...channel.members].some((user) => users.get(user)?.deleted);
}

function checkDoubles(world: World, standing: readonly Message[]): void {
  const { witness } = world;
  const marked = standing.filter((message) => isMarked(message) && canBeRead(world, message));
  const byStep = Map.groupBy(marked, ({ metadata }) => JSON.stringify(metadata?.event_payload));
  for (const [step, messages] of byStep) {
    if (messages.length < 2) continue;
    witness.violated(`message: ${messages.length} times ${step} "${messages[0]?.text.slice(0, 80)}"`);
  }
}

function checkDeliveries(
  { witness, deleted }: World,
  record: RequestRecord,
  locations: ReadonlySet<string>,
): void {
  for (const { type, delivery } of messagesOf(record)) {
    const what = `${type} of ${record.target}`;
    if (delivery.status !== 'posted') continue;
    const location = locationKeyOf(delivery);
    if (!locations.has(location) && !deleted.has(location))
      witness.violated(`message: the ${what} does not exist`);
  }
}

/** Slack refuses to update messages of an archived channel. */
const wasArchived = ({ acts }: Plan, { workspace }: RequestRecord): boolean =>
  acts.some((act) => act.type === 'archive' && idOf('T', act.team) === workspace);

/** The texts of a message's first blocks: of a card, its header and its state. */
function textsOf({ blocks = [] }: Message): string[] {
  return blocks.flatMap((block) =>
    'text' in block && typeof block.text === 'object' ? [block.text.text] : [],
  );
}

/** Checks that the card names what is to be done, and shows the current state of the request. */
function checkCard({ slack, witness }: World, record: RequestRecord): void {
  const { location } = record.card;
  const message = location && slack.world.channels.get(location.channel)?.messages.get(location.ts);
  if (!message || message.is_tombstone) return;
  const [header, state] = textsOf(message);
  const deed = `${KINDS[record.kind].deed} ${record.target}`;
  if (header !== deed || !message.text.startsWith(`${deed}: `))
    witness.violated(`card: it is headed "${header}" in place of "${deed}"`);
  const label = STATES[record.state]?.label ?? /^$/;
  if (!label.test(state?.split('\n', 1)[0] ?? ''))
    witness.violated(`card: it says "${state}" of ${deed}, which is ${record.state}`);
}
