/** Performs the acts that change the environment and do not use the bot. */
import { cancellationEvent } from '../../../sandbox/order-service/events.ts';
import { review } from '../../../sandbox/order-service/world/review.ts';
import { deleteMessage } from '../../../sandbox/slack/world/messages.ts';
import { shareChannel, unshareChannel } from '../../../sandbox/slack/world/sharing.ts';
import type { Act } from '../draw/plan.ts';
import { idOf, orderOf, type Team } from '../teams.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

const OTHER_COMPANY: Record<Team, Team> = { acme: 'globex', globex: 'acme' };

type EnvironmentAct =
  | 'review'
  | 'cancel_elsewhere'
  | 'leave_group'
  | 'deactivate'
  | 'archive'
  | 'unarchive'
  | 'share'
  | 'unshare'
  | 'delete_card'
  | 'revoke_token'
  | 'set_clock';

export function environmentActs({ world, messageOf }: PeopleContext): ActHandlers<EnvironmentAct> {
  const { slack, service } = world;

  function reviewed({ team, item, decision }: Extract<Act, { type: 'review' }>): void {
    const organization = service.organizations.get(team);
    const order = organization?.orders.get(orderOf(team, item));
    if (!organization || !order?.cancellation || order.cancellation.status === 'canceled') return;
    review(organization, order.id, decision, service.events, service.now);
  }

  /** Cancels the order in the service itself. */
  function cancelElsewhere({ team, item }: Extract<Act, { type: 'cancel_elsewhere' }>): void {
    const organization = service.organizations.get(team);
    const order = organization?.orders.get(orderOf(team, item));
    if (!organization || !order || order.cancellation) return;
    const at = new Date(service.now()).toISOString();
    order.cancellation = { status: 'canceled', reason: 'Out of stock.', createdAt: at, updatedAt: at };
    service.events.emit(organization, cancellationEvent('created', order));
  }

  function leaveGroup(team: Team, who: string): void {
    const group = slack.world.userGroups.get(idOf('S', team, 'approvers'));
    const user = idOf('U', team, who);
    if (!group) return;
    world.lostRights.set(user, world.scheduler.now());
    group.users = group.users.filter((other) => other !== user);
    slack.world.changes.publish({ type: 'user_group_changed', group, added: [], removed: [user] });
  }

  function deactivate(team: Team, who: string): void {
    const user = slack.world.users.get(idOf('U', team, who));
    if (!user) return;
    user.deleted = true;
    world.lostRights.set(user.id, world.scheduler.now());
  }

  function channelAct(type: 'archive' | 'unarchive' | 'share' | 'unshare', team: Team): void {
    const channel = slack.world.channels.get(idOf('C', team, 'support'));
    const other = idOf('T', OTHER_COMPANY[team]);
    if (!channel) return;
    if (type === 'archive' || type === 'unarchive') channel.is_archived = type === 'archive';
    else if (type === 'share') shareChannel(slack.world, channel, other);
    else if (channel.connected_team_ids.includes(other)) unshareChannel(slack.world, channel, other);
  }

  function deleteCard({ n, isApart }: Extract<Act, { type: 'delete_card' }>): void {
    const card = messageOf(n, isApart ? 'approval message' : '0');
    if (!card) return;
    world.deleted.add(`${card.channel} ${card.ts}`);
    deleteMessage(slack.world, card);
  }

  return {
    review: reviewed,
    cancel_elsewhere: cancelElsewhere,
    leave_group: ({ team, who }) => leaveGroup(team, who),
    deactivate: ({ team, who }) => deactivate(team, who),
    archive: ({ type, team }) => channelAct(type, team),
    unarchive: ({ type, team }) => channelAct(type, team),
    share: ({ type, team }) => channelAct(type, team),
    unshare: ({ type, team }) => channelAct(type, team),
    delete_card: deleteCard,
    revoke_token: ({ team }) => {
      const organization = service.organizations.get(team);
      if (organization) organization.tokens = [];
    },
    set_clock: ({ replica, ahead }) => {
      world.skews[replica] = ahead;
    },
  };
}
