/** Sends the events of Slack and of the order service to the bot. */
import { type PreparedEvent, signBody } from '../../../sandbox/order-service/events.ts';
import type { WorldChange } from '../../../sandbox/slack/world/world.ts';
import { USUAL } from '../draw/choices.ts';
import { SHAPES, shaped, UNTIMED } from '../draw/event-shapes.ts';
import type { Replica } from '../replica.ts';
import { FOREIGN, idOf, type Team, workspaceOf } from '../teams.ts';
import type { Subscription } from '../world/service-side.ts';
import type { World } from '../world/world.ts';
import type { Deliveries } from './deliveries.ts';

/**
 * Slack waits for 3 s; it retries at once, after a minute and after five (https://docs.slack.dev/apis/events-api/#retries).
 */
const SLACK = { timeoutMs: 3_000, pausesMs: [10, 60_000, 300_000] };
/** The service retries until the bot acknowledges an event, so that every event is acknowledged in the end. */
const SERVICE = { timeoutMs: 10_000, pausesMs: [1_000, 5_000, 30_000], repeatsLastPause: true };

/** @param nextMoment Slack's timestamps, microseconds @returns a function that sends the event of a change, if it has one */
export function sendSlackEvents(
  world: World,
  team: Team,
  deliveries: Deliveries,
  nextMoment: () => number,
): (change: WorldChange) => void {
  const { witness } = world;
  const workspace = workspaceOf(team);
  const slack = world.slack.of[team].world;
  const botIds = new Set([...slack.installations.values()].map(({ bot_user_id }) => bot_user_id));
  const send = (name: string, handle: (replica: Replica) => Promise<boolean>) =>
    deliveries.send({ ...SLACK, name: `slack tells ${team} ${name}`, handle });
  return (change) => {
    switch (change.type) {
      case 'message_posted':
        witness.onMessageShown(change.message);
        return witness.onMessagePosted(team, change.message);
      case 'message_changed':
        return witness.onMessageShown(change.message);
      case 'reaction_added':
      case 'reaction_removed': {
        const { message, user: by, reaction: emoji, type } = change;
        if (botIds.has(by)) return;
        const location = { channel: message.channel, ts: message.ts };
        const [plain] = emoji.split('::');
        const reacting = {
          workspace,
          by,
          message: location,
          mayBeOurs: botIds.has(message.user),
          emoji,
          added: type === 'reaction_added',
          moment: nextMoment(),
        };
        const logged: World['reactions'][number] = {
          team,
          about: `${location.channel} ${location.ts} ${by} ${plain}`,
          emoji,
          added: reacting.added,
          moment: reacting.moment,
          at: world.scheduler.now(),
        };
        world.reactions.push(logged);
        return send(`${type}: ${emoji} of ${by}`, async ({ bot }) => {
          const isAcknowledged = (await bot().useCases.react(reacting)).type !== 'not_yet';
          if (isAcknowledged) logged.acknowledgedAt ??= world.scheduler.now();
          return isAcknowledged;
        });
      }
      case 'app_uninstalled':
      case 'tokens_revoked': {
        const report = { id: workspace, uninstalled: change.type === 'app_uninstalled' };
        world.missedUninstalls.add(report.id);
        return send(change.type, async ({ bot }) => {
          await bot().useCases.recordUninstall(report);
          world.missedUninstalls.delete(report.id);
          return true;
        });
      }
      case 'channel_shared':
      case 'channel_unshared': {
        const where = { workspace, channel: change.channel.id };
        const report = { type: 'shared' as const, team, at: world.scheduler.now(), isAcknowledged: false };
        world.reports.push(report);
        return send(change.type, async ({ bot }) => {
          bot().useCases.directory.forgetChannel(workspace, where.channel);
          await bot().useCases.sharingChanged(where);
          report.isAcknowledged = true;
          return true;
        });
      }
      case 'member_joined':
      case 'member_left': {
        const { channel, user, type } = change;
        const report = { type: 'members' as const, team, at: world.scheduler.now(), isAcknowledged: false };
        if (channel.id === world.approvals[team]) world.reports.push(report);
        return send(`${type}: ${user}, ${channel.name}`, async ({ bot }) => {
          bot().useCases.directory.forgetMember(workspace, channel.id, user);
          await bot().useCases.approversChanged({ workspace, channel: channel.id });
          report.isAcknowledged = true;
          return true;
        });
      }
      case 'channel_moved': {
        const { from, channel } = change;
        rename(world, team, from, channel.id);
        return send(`${channel.name} moved`, async ({ bot }) => {
          bot().useCases.directory.forgetChannel(workspace, from);
          await bot().useCases.channelMoved({ workspace, from, to: channel.id });
          world.spans.end('moved', team);
          return true;
        });
      }
      case 'user_group_changed': {
        const { id } = change.group;
        const report = { type: 'group' as const, team, at: world.scheduler.now(), isAcknowledged: false };
        if (id === idOf('S', 'approvers')) world.reports.push(report);
        return send(change.type, async ({ bot }) => {
          bot().useCases.directory.forgetGroup(workspace, id);
          await bot().useCases.approversChanged({ workspace, group: id });
          report.isAcknowledged = true;
          return true;
        });
      }
      default:
    }
  };
}

/** Renames a channel in everything that was noted about it. */
function rename(world: World, team: Team, from: string, to: string): void {
  const renamed = (place: string) => (place.startsWith(`${from} `) ? to + place.slice(from.length) : place);
  world.witness.onChannelMoved(team, renamed);
  for (const each of world.reactions) if (each.team === team) each.about = renamed(each.about);
  world.deleted = new Set(
    [...world.deleted].map((each) =>
      each.startsWith(`${team} `) ? `${team} ${renamed(each.slice(team.length + 1))}` : each,
    ),
  );
}

/** @returns a function that sends an event of the service to the endpoint that the team has at that moment */
export function sendServiceEvents(
  world: World,
  deliveries: Deliveries,
  subscriptionOf: (team: Team) => Subscription | undefined,
): (team: Team, event: PreparedEvent) => void {
  return (team, prepared) => {
    const subscription = subscriptionOf(team);
    if (!subscription) return;
    const isForeign = prepared.data['poNumber'] === FOREIGN;
    const { orderId: order, status: word } = prepared.data;
    const name = `service tells ${team} ${order} ${word}`;
    const shape = world.hasOddEvents && !isForeign ? world.choices.take(`${name}: form`, SHAPES) : USUAL;
    const event = shaped(prepared, shape);
    if (shape !== USUAL) world.trace.tell(world.scheduler.now(), () => `${name}: ${shape}`);
    const text = JSON.stringify(event);
    const signature = signBody(text, { id: team, format: 'sha256=hex', ...subscription });
    const { pathname } = new URL(subscription.url);
    const request = {
      url: pathname,
      parameter: pathname.slice(pathname.lastIndexOf('/') + 1),
      headers: { 'x-sibi-signature-256': signature, topic: event.topic },
      body: Buffer.from(text),
    };
    const { now } = world.scheduler;
    const sent = {
      team,
      topic: event.topic,
      order: String(order),
      status: String(event.data['status']).toLowerCase(),
      at: now(),
      isAcknowledged: false,
      body: text,
      isTimed: !UNTIMED.has(shape),
      arrivedAt: Number.POSITIVE_INFINITY,
      acknowledgedAt: Number.POSITIVE_INFINITY,
    };
    if (isForeign)
      world.foreignEvents.push(Object.assign(sent, { createdAt: String(event.data['createdAt']) }));
    else world.serviceEvents.push(sent);
    deliveries.send({
      ...SERVICE,
      name,
      async handle({ bot }) {
        sent.arrivedAt = Math.min(sent.arrivedAt, now());
        const { status } = await bot().events.handle(request);
        if (status < 300) {
          sent.isAcknowledged = true;
          sent.acknowledgedAt = Math.min(sent.acknowledgedAt, now());
        }
        // 404: the endpoint is gone, and the service gives up.
        return status < 300 || status === 404;
      },
    });
  };
}
