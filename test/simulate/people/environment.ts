/** Performs the acts that change the environment and do not use the bot. */
import { requestEvent } from '../../../sandbox/order-service/events.ts';
import { REVIEWED_KINDS } from '../../../sandbox/order-service/organization.ts';
import { review } from '../../../sandbox/order-service/world/back-office.ts';
import {
  joinChannel,
  leaveChannel,
  moveChannel,
  shareChannel,
  unshareChannel,
} from '../../../sandbox/slack/world/channels.ts';
import { deleteMessage } from '../../../sandbox/slack/world/messages.ts';
import { type Role, roleFlags } from '../../../sandbox/slack/world/users.ts';
import type { Act, ChangeOfRights } from '../draw/plan.ts';
import type { Lost } from '../tables/approvals.ts';
import { APPROVAL, CARD } from '../tables/messages.ts';
import { FOREIGN, idOf, offerOf, orderOf, PARTNER, type Team } from '../teams.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

const DAY_MS = 24 * 60 * 60_000;

type EnvironmentAct =
  | 'review'
  | 'cancel_elsewhere'
  | 'cancel_offer_elsewhere'
  | 'tell_of_others'
  | ChangeOfRights
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

  /** Cancels the order in the service itself. */
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

  /** Emits events about other requests for the order, made a minute apart and long before the play. */
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

  function lost(team: Team, who: string, by: Lost['by']): void {
    world.lostRights[team].push({ who, by, from: world.scheduler.now(), to: Number.POSITIVE_INFINITY });
    world.spans.begin('left', team);
  }

  function regained(team: Team, who: string, by: Lost['by']): void {
    for (const each of world.lostRights[team])
      if (each.who === who && each.by === by) each.to = Math.min(each.to, world.scheduler.now());
  }

  function leaveApprovals(team: Team, who: string): void {
    const here = slack.of[team].world;
    const channel = here.channels.get(world.approvals[team]);
    if (!channel) return;
    lost(team, idOf('U', who), 'channel');
    leaveChannel(here, channel, idOf('U', who));
  }

  function joinApprovals(team: Team, who: string): void {
    const here = slack.of[team].world;
    const channel = here.channels.get(world.approvals[team]);
    if (!channel) return;
    regained(team, idOf('U', who), 'channel');
    joinChannel(here, channel, idOf('U', who));
  }

  type Group = { name: 'approvers' | 'requesters'; isJoining: boolean };

  function changeGroup(team: Team, who: string, { name, isJoining }: Group): void {
    const here = slack.of[team].world;
    const group = here.userGroups.get(idOf('S', name));
    const user = idOf('U', who);
    if (!group) return;
    (isJoining ? regained : lost)(team, user, name === 'approvers' ? 'group' : name);
    const others = group.users.filter((other) => other !== user);
    group.users = isJoining ? [...others, user] : others;
    const changed = isJoining ? { added: [user], removed: [] } : { added: [], removed: [user] };
    here.changes.publish({ type: 'user_group_changed', group, ...changed });
  }

  /**
   * Whoever is deactivated is taken out of all channels (https://slack.com/help/articles/204475027-Deactivate-a-members-account),
   * and is in none of them after a reactivation (https://slack.com/help/articles/360002061747-Reactivate-a-members-account).
   */
  function deactivate(team: Team, who: string): void {
    const here = slack.of[team].world;
    const user = here.users.get(idOf('U', who));
    if (!user || user.deleted) return;
    user.deleted = true;
    lost(team, user.id, 'company');
    for (const channel of here.channels.values()) {
      if (channel.kind === 'im' || !channel.members.has(user.id)) continue;
      if (channel.id === world.approvals[team]) lost(team, user.id, 'channel');
      leaveChannel(here, channel, user.id);
    }
  }

  function reactivate(team: Team, who: string): void {
    const user = slack.of[team].world.users.get(idOf('U', who));
    if (!user) return;
    user.deleted = false;
    regained(team, user.id, 'company');
  }

  /** A guest stays in channels and groups (https://slack.com/help/articles/218124397-Change-a-members-role). */
  function changeRole(team: Team, who: string, role: Extract<Role, 'member' | 'guest'>): void {
    const user = slack.of[team].world.users.get(idOf('U', who));
    if (!user) return;
    Object.assign(user, roleFlags(role));
    (role === 'guest' ? lost : regained)(team, user.id, 'guest');
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
    cancel_offer_elsewhere: ({ team, item }) => {
      const offer = service.organizations.get(team)?.offers.get(offerOf(item));
      if (offer) offer.status = 'canceled';
    },
    tell_of_others: tellOfOthers,
    leave_group: ({ team, who }) => changeGroup(team, who, { name: 'approvers', isJoining: false }),
    join_group: ({ team, who }) => changeGroup(team, who, { name: 'approvers', isJoining: true }),
    leave_requesters: ({ team, who }) => changeGroup(team, who, { name: 'requesters', isJoining: false }),
    join_requesters: ({ team, who }) => changeGroup(team, who, { name: 'requesters', isJoining: true }),
    leave_channel: ({ team, who }) => leaveApprovals(team, who),
    join_channel: ({ team, who }) => joinApprovals(team, who),
    deactivate: ({ team, who }) => deactivate(team, who),
    reactivate: ({ team, who }) => reactivate(team, who),
    become_guest: ({ team, who }) => changeRole(team, who, 'guest'),
    become_member: ({ team, who }) => changeRole(team, who, 'member'),
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
