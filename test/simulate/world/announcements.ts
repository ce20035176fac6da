/** Sends the events of Slack and of the order service to the bot. */

import type { PreparedEvent } from '../../../sandbox/order-service/deliveries.ts';
import { signBody } from '../../../sandbox/order-service/signature.ts';
import type { WorldChange } from '../../../sandbox/slack/world/changes.ts';
import type { Replica, World } from '../replica.ts';
import type { Deliveries } from './deliveries.ts';
import type { Team } from './slack-side.ts';

/** Slack waits 3 s, and tells again at once, after a minute and after five (shared facts: Events API redelivery). */
const SLACK = { timeoutMs: 3_000, pausesMs: [10, 60_000, 300_000] };
/** The service goes on until it is answered: what was answered must not be lost, and all of it is answered in the end. */
const SERVICE = { timeoutMs: 10_000, pausesMs: [1_000, 5_000, 30_000], insists: true };

/** The URL and the secret of a team's events, as the admin has entered them at the service. */
export type Subscription = { url: string; secret: string };

/** Microseconds by Slack's clock. */
export type Moments = () => number;

export function announceSlack(
  world: World,
  deliveries: Deliveries,
  moments: Moments,
): (change: WorldChange) => void {
  const { slack, witness } = world;
  const botIds = new Set([...slack.world.installations.values()].map(({ bot_user_id }) => bot_user_id));
  const send = (name: string, hand: (replica: Replica) => Promise<boolean>) =>
    deliveries.send({ ...SLACK, name: `slack tells ${name}`, hand });
  return (change) => {
    switch (change.type) {
      case 'message_posted':
        return witness.posted(change.message);
      case 'reaction_added':
      case 'reaction_removed': {
        const { message, user: by, reaction: emoji, type } = change;
        if (botIds.has(by)) return;
        const workspace = slack.world.channels.get(message.channel)?.team_id ?? '';
        const place = { channel: message.channel, ts: message.ts };
        const reacting = {
          workspace,
          by,
          message: place,
          emoji,
          added: type === 'reaction_added',
          moment: moments(),
        };
        const noted: World['reactions'][number] = {
          about: `${place.channel} ${place.ts} ${by} ${emoji}`,
          added: reacting.added,
          moment: reacting.moment,
          at: world.timeline.now(),
        };
        world.reactions.push(noted);
        return send(type, async ({ bot }) => {
          const isTaken = (await bot().useCases.react(reacting)).type !== 'not_yet';
          if (isTaken) noted.heardAt ??= world.timeline.now();
          return isTaken;
        });
      }
      case 'app_uninstalled':
      case 'tokens_revoked': {
        const told = { id: change.installation.team_id, uninstalled: change.type === 'app_uninstalled' };
        world.unheard.add(told.id);
        return send(change.type, async ({ bot }) => {
          await bot().useCases.recordUninstall(told);
          world.unheard.delete(told.id);
          return true;
        });
      }
      case 'channel_shared':
      case 'channel_unshared': {
        const where = { workspace: change.channel.team_id, channel: change.channel.id };
        return send(change.type, async ({ bot }) => {
          bot().useCases.directory.forgetChannel(where.workspace, where.channel);
          await bot().useCases.sharingChanged(where);
          return true;
        });
      }
      case 'user_group_changed': {
        const { team_id, id } = change.group;
        return send(change.type, async ({ bot }) => {
          bot().useCases.directory.forgetGroup(team_id, id);
          await bot().useCases.approversChanged({ workspace: team_id, group: id });
          return true;
        });
      }
      default:
    }
  };
}

/** An event of the service, to the endpoint that it has at that moment. */
export function announceOrder(
  world: World,
  deliveries: Deliveries,
  subscriptionOf: (team: Team) => Subscription | undefined,
): (team: Team, event: PreparedEvent) => void {
  return (team, event) => {
    const subscription = subscriptionOf(team);
    if (!subscription) return;
    const text = JSON.stringify(event);
    const signature = signBody(text, { id: team, format: 'sha256=hex', ...subscription });
    const { pathname } = new URL(subscription.url);
    const request = {
      url: pathname,
      parameter: pathname.slice(pathname.lastIndexOf('/') + 1),
      headers: { 'x-sibi-signature-256': signature, topic: event.topic },
      body: Buffer.from(text),
    };
    const told = {
      team,
      order: String(event.data['orderId']),
      status: String(event.data['status']),
      isTaken: false,
    };
    world.told.push(told);
    deliveries.send({
      ...SERVICE,
      name: `service tells ${told.order} ${told.status}`,
      async hand({ bot }) {
        const { status } = await bot().events.handle(request);
        // Nobody has the endpoint any more: the service gives up.
        if (status < 300) told.isTaken = true;
        return status < 300 || status === 404;
      },
    });
  };
}
