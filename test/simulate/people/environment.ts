/** Performs the acts that change the environment and do not use the bot. */
import { requestEvent } from '../../../sandbox/order-service/events.ts';
import { REVIEWED_KINDS } from '../../../sandbox/order-service/organization.ts';
import { review } from '../../../sandbox/order-service/world/back-office.ts';
import {
  leaveChannel,
  moveChannel,
  shareChannel,
  unshareChannel,
} from '../../../sandbox/slack/world/channels.ts';
import { deleteMessage } from '../../../sandbox/slack/world/messages.ts';
import type { Act } from '../draw/plan.ts';
import { APPROVAL, CARD } from '../tables/messages.ts';
import { FOREIGN, idOf, orderOf, PARTNER, type Team } from '../teams.ts';
import type { World } from '../world/world.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

const DAY_MS = 24 * 60 * 60_000;

type EnvironmentAct =
  | 'review'
  | 'cancel_elsewhere'
  | 'tell_of_others'
  | 'leave_group'
  | 'leave_channel'
  | 'deactivate'
  | 'archive'
  | 'unarchive'
  | 'share'
  | 'unshare'
  | 'move_channel'
  | 'delete_card'
  | 'revoke_token'
  | 'set_clock';

export function environmentActs({ world, messageOf, requested }: PeopleContext): ActHandlers<EnvironmentAct> {
  const { slack, service } = world;

  function reviewed({ team, item, decision }: Extract<Act, { type: 'review' }>): void {
    const organization = service.organizations.get(team);
    const order = organization?.orders.get(orderOf(item));
    if (!organization || !order) return;
    for (const kind of REVIEWED_KINDS)
      if ((order.requests[kind]?.status ?? 'canceled') !== 'canceled')
        review(organization, { orderId: order.id, kind }, decision, service.events, service.now);
  }

  /** Does in the service itself everything that can be requested about the order. */
  function cancelElsewhere({ team, item }: Extract<Act, { type: 'cancel_elsewhere' }>): void {
    const organization = service.organizations.get(team);
    const order = organization?.orders.get(orderOf(item));
    if (!organization || !order) return;
    const at = new Date(service.now()).toISOString();
    for (const kind of REVIEWED_KINDS) {
      if (order.requests[kind]) continue;
      order.requests[kind] = { status: 'canceled', reason: 'Out of stock.', createdAt: at, updatedAt: at };
      service.events.emit(organization, requestEvent('created', order, kind));
    }
  }

  /** Each was made a minute before the one before it, and long before the play. */
  function tellOfOthers({ team, item, count }: Extract<Act, { type: 'tell_of_others' }>): void {
    const organization = service.organizations.get(team);
    const order = organization?.orders.get(orderOf(item));
    if (!organization || !order) return;
    for (let n = 1; n <= count; n++) {
      const at = new Date(service.now() - DAY_MS - n * 60_000).toISOString();
      const request = { status: 'pending', reason: 'Elsewhere.', createdAt: at, updatedAt: at } as const;
      for (const kind of REVIEWED_KINDS) {
        const other = { ...order, poNumber: FOREIGN, requests: { [kind]: request } };
        service.events.emit(organization, requestEvent('created', other, kind));
      }
    }
  }

  function lost(team: Team, who: string, by: World['lostRights'][Team][number]['by']): void {
    world.lostRights[team].push({ who, by, at: world.scheduler.now() });
    world.spans.begin('left', team);
  }

  function leaveApprovals(team: Team, who: string): void {
    const here = slack.of[team].world;
    const channel = here.channels.get(world.approvals[team]);
    if (!channel) return;
    lost(team, idOf('U', who), 'channel');
    leaveChannel(here, channel, idOf('U', who));
  }

  function leaveGroup(team: Team, who: string): void {
    const here = slack.of[team].world;
    const group = here.userGroups.get(idOf('S', 'approvers'));
    const user = idOf('U', who);
    if (!group) return;
    lost(team, user, 'group');
    group.users = group.users.filter((other) => other !== user);
    here.changes.publish({ type: 'user_group_changed', group, added: [], removed: [user] });
  }

  function deactivate(team: Team, who: string): void {
    const user = slack.of[team].world.users.get(idOf('U', who));
    if (!user) return;
    user.deleted = true;
    lost(team, user.id, 'company');
  }

  function archiveAct({ type, team, isApart }: Extract<Act, { type: 'archive' | 'unarchive' }>): void {
    const id = isApart ? world.approvals[team] : idOf('C', 'support');
    const channel = slack.of[team].world.channels.get(id);
    if (!channel) return;
    channel.is_archived = type === 'archive';
    const why = isApart ? 'approvals archived' : 'archived';
    if (channel.is_archived) world.spans.begin(why, team);
    else world.spans.end(why, team);
  }

  function shareAct({ type, team }: Extract<Act, { type: 'share' | 'unshare' }>): void {
    const here = slack.of[team].world;
    const channel = here.channels.get(idOf('C', 'support'));
    const { workspace: other, person } = PARTNER;
    if (!channel) return;
    if (type === 'share') world.spans.begin('shared', team);
    else world.spans.end('shared', team);
    if (type === 'share') {
      channel.members.add(idOf('U', person));
      shareChannel(here, channel, other);
    } else if (channel.connected_team_ids.includes(other)) unshareChannel(here, channel, other);
  }

  function deleteCard({ n, isApart }: Extract<Act, { type: 'delete_card' }>): void {
    const card = messageOf(n, isApart ? APPROVAL : CARD);
    const team = requested.get(n)?.team;
    if (!card || !team) return;
    world.deleted.add(`${team} ${card.channel} ${card.ts}`);
    world.spans.begin('deleted', team, `request ${n}`);
    deleteMessage(slack.of[team].world, card);
  }

  return {
    review: reviewed,
    cancel_elsewhere: cancelElsewhere,
    tell_of_others: tellOfOthers,
    leave_group: ({ team, who }) => leaveGroup(team, who),
    leave_channel: ({ team, who }) => leaveApprovals(team, who),
    deactivate: ({ team, who }) => deactivate(team, who),
    archive: archiveAct,
    unarchive: archiveAct,
    share: shareAct,
    unshare: shareAct,
    move_channel: ({ team }) => {
      const here = slack.of[team].world;
      const channel = here.channels.get(world.approvals[team]);
      if (!channel) return;
      world.spans.begin('moved', team);
      world.approvals[team] = moveChannel(here, channel).id;
    },
    delete_card: deleteCard,
    revoke_token: ({ team }) => {
      const organization = service.organizations.get(team);
      if (organization) organization.tokens = [];
      world.spans.begin('token revoked', team);
    },
    set_clock: ({ replica, ahead }) => {
      world.skews[replica] = ahead;
    },
  };
}
