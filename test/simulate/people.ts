/** What the people of a play do: each act of the plan, on the world and on one of the replicas. */
import { review } from '../../sandbox/order-service/review.ts';
import { installApp, installationOf, uninstallApp } from '../../sandbox/slack/world/installations.ts';
import { deleteMessage } from '../../sandbox/slack/world/messages.ts';
import { addReaction, removeReaction } from '../../sandbox/slack/world/reactions.ts';
import { shareChannel, unshareChannel } from '../../sandbox/slack/world/sharing.ts';
import type { Message } from '../../sandbox/slack/world/types.ts';
import type { Policy } from '../../src/requests/approvals/policy.ts';
import { BUTTON } from '../../src/requests/approvals/votes.ts';
import { KIND_NAMES } from '../../src/requests/kinds.ts';
import { currentStep, type RequestRecord } from '../../src/requests/record.ts';
import { requestId } from '../../src/requests/request-id.ts';
import { STEP_METADATA } from '../../src/slack/ids.ts';
import type { Deliveries } from './deliveries.ts';
import type { Act, PlannedPolicy } from './plan.ts';
import type { Replica, World } from './replica.ts';
import { firstToken, offerOf, orderOf } from './world/service-side.ts';
import { type Desk, idOf } from './world/slack-side.ts';

const MINUTE_MS = 60_000;
export const EMOJI = { yes: 'white_check_mark', no: 'x' } as const;
const OTHER_COMPANY: Record<Desk, Desk> = { acme: 'globex', globex: 'acme' };

export type People = {
  act(act: Act): void;
  /** Connects a desk and sets its policy. */
  prepare(replica: Replica, desk: Desk, policy: PlannedPolicy | undefined): Promise<void>;
};

/** A policy as an admin would set it. */
export function policyOf(desk: Desk, { quorum, shownIn }: PlannedPolicy): Policy {
  return {
    approvers: { type: 'group', group: idOf('S', desk, 'approvers') },
    channel: idOf('C', desk, 'approvals'),
    shownIn,
    quorum,
    emoji: EMOJI,
    lapseMs: 60 * MINUTE_MS,
    reminds: true,
    mayWithdraw: true,
    setBy: idOf('U', desk, 'olga'),
  };
}

export function createPeople(world: World, deliveries: Deliveries, moments: () => number): People {
  const { slack, service, stored } = world;
  const requested = new Map<number, { desk: Desk; id: string }>();
  const tokens = new Map<Desk, number>();

  const recordOf = (n: number): RequestRecord | undefined => {
    const ref = requested.get(n);
    if (!ref) return undefined;
    for (const { record } of stored.requests.entries()) if (record.id === ref.id) return record;
    return undefined;
  };

  /** The message of a request that approvers look at, wherever it stands. */
  function messageOf(n: number): Message | undefined {
    const ref = requested.get(n);
    const isApart = recordOf(n)?.approval?.ballot !== undefined;
    const wanted = isApart ? 'ballot' : '0';
    for (const { messages } of slack.world.channels.values()) {
      for (const message of messages.values()) {
        const { event_type, event_payload = {} } = message.metadata ?? {};
        const isIts = event_type === STEP_METADATA && event_payload['request'] === ref?.id;
        if (isIts && String(event_payload['step']).startsWith(wanted)) return message;
      }
    }
    return undefined;
  }

  /** Somebody presses a button or sends a form; once, or again where no answer came. */
  const use = (name: string, hand: (replica: Replica) => Promise<unknown>, again: readonly number[] = []) =>
    deliveries.send({
      name,
      timeoutMs: 3_000,
      pausesMs: again,
      hand: async (replica) => {
        await hand(replica);
        return true;
      },
    });

  function request({ n, desk, by, kind, item }: Extract<Act, { type: 'request' }>): void {
    const workspace = idOf('T', desk);
    const idempotencyKey = `V${n}`;
    requested.set(n, { desk, id: requestId(workspace, idempotencyKey) });
    const target = kind === 'cancel_order' ? orderOf(desk, item) : offerOf(desk, item);
    const asking = {
      workspace,
      asker: idOf('U', desk, by),
      kind,
      target,
      reason: 'The customer has changed their mind.',
      channel: idOf('C', desk, 'support'),
      idempotencyKey,
    };
    use(`${by} requests ${target}`, ({ bot }) => bot().useCases.ask(asking), [2_000, 10_000]);
  }

  function press({ n, by, choice }: Extract<Act, { type: 'press' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const step = currentStep(record).n;
    const cast = {
      by: idOf('U', ref.desk, by),
      choice,
      source: BUTTON,
      added: true,
      step,
      moment: moments(),
    };
    use(`${by} presses ${choice}`, ({ bot }) => bot().useCases.vote(record, cast));
  }

  function react({ type, n, by, choice }: Extract<Act, { type: 'react' | 'unreact' }>): void {
    const message = messageOf(n);
    const ref = requested.get(n);
    if (!message || !ref || message.is_tombstone) return;
    const change = type === 'react' ? addReaction : removeReaction;
    change(slack.world, message, idOf('U', ref.desk, by), EMOJI[choice]);
  }

  function decide({ n, by, act }: Extract<Act, { type: 'decide' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const who = {
      workspace: record.workspace,
      id: record.id,
      by: idOf('U', ref.desk, by),
      step: currentStep(record).n,
    };
    use(`${by} chooses ${act}`, ({ bot }) => bot().useCases.intervene(who, act));
  }

  function reviewed({ desk, item, decision }: Extract<Act, { type: 'review' }>): void {
    const organization = service.organizations.get(desk);
    const order = organization?.orders.get(orderOf(desk, item));
    if (!organization || !order?.cancellation || order.cancellation.status === 'canceled') return;
    review(organization, order.id, decision, service.events, service.now);
  }

  function leaveGroup(desk: Desk, who: string): void {
    const group = slack.world.userGroups.get(idOf('S', desk, 'approvers'));
    const user = idOf('U', desk, who);
    if (!group) return;
    world.lostRights.set(user, world.timeline.now());
    group.users = group.users.filter((other) => other !== user);
    slack.world.changes.publish({ type: 'user_group_changed', group, added: [], removed: [user] });
  }

  function deactivate(desk: Desk, who: string): void {
    const user = slack.world.users.get(idOf('U', desk, who));
    if (!user) return;
    user.deleted = true;
    world.lostRights.set(user.id, world.timeline.now());
  }

  function channelAct(type: 'archive' | 'unarchive' | 'share' | 'unshare', desk: Desk): void {
    const channel = slack.world.channels.get(idOf('C', desk, 'support'));
    const other = idOf('T', OTHER_COMPANY[desk]);
    if (!channel) return;
    if (type === 'archive' || type === 'unarchive') channel.is_archived = type === 'archive';
    else if (type === 'share') shareChannel(slack.world, channel, other);
    else if (channel.connected_team_ids.includes(other)) unshareChannel(slack.world, channel, other);
  }

  function deleteCard(n: number): void {
    const ref = requested.get(n);
    for (const { messages } of slack.world.channels.values()) {
      for (const message of messages.values()) {
        const payload = message.metadata?.event_payload;
        if (payload?.['request'] === ref?.id && payload?.['step'] === 0) {
          world.deleted.add(`${message.channel} ${message.ts}`);
          deleteMessage(slack.world, message);
          return;
        }
      }
    }
  }

  async function connect(replica: Replica, desk: Desk, token: string): Promise<void> {
    const connected = await replica.bot().useCases.connect({
      workspace: idOf('T', desk),
      token,
      tokenKind: 'rest',
      exclusive: true,
      by: idOf('U', desk, 'olga'),
      newSecret: false,
    });
    if (connected.type !== 'connected') return;
    world.connected.set(desk, token);
    const secret = connected.secret ?? world.subscriptions.get(desk)?.secret ?? '';
    world.subscriptions.set(desk, { url: connected.eventsUrl, secret });
  }

  /** A new token, with which an admin connects the desk. */
  function reconnect(desk: Desk): void {
    const n = (tokens.get(desk) ?? 1) + 1;
    tokens.set(desk, n);
    const token = `token-of-${desk}-${n}`;
    service.organizations.get(desk)?.tokens.push({ token, kind: 'rest' });
    use(`olga connects ${desk}`, (replica) => connect(replica, desk, token), [4_000, 30_000]);
  }

  async function install(replica: Replica, desk: Desk): Promise<void> {
    const id = idOf('T', desk);
    const { token, bot_id, bot_user_id } = installationOf(slack.world, id);
    const { installations } = replica.bot().common.parts;
    const row = {
      id,
      orgWide: false,
      botId: bot_id,
      botUserId: bot_user_id,
      installedBy: idOf('U', desk, 'olga'),
    };
    await installations.add({
      ...row,
      expiresAt: undefined,
      organization: undefined,
      tokens: { bot: token },
    });
  }

  function reinstall(desk: Desk): void {
    const { installation } = installApp(slack.world, idOf('T', desk), {
      token: `xoxb-${desk}-${world.nextNumber()}`,
    });
    for (const channel of slack.world.channels.values())
      if (channel.team_id === installation.team_id) channel.members.add(installation.bot_user_id);
    world.reinstalled.add(desk);
    use(`olga installs ${desk}`, (replica) => install(replica, desk), [4_000, 30_000]);
  }

  const setPolicy = (replica: Replica, desk: Desk, planned: PlannedPolicy | undefined) => {
    const policy = planned && policyOf(desk, planned);
    const policies = Object.fromEntries(KIND_NAMES.map((kind) => [kind, policy]));
    return replica.bot().common.parts.settings.change(idOf('T', desk), { policies });
  };

  const acts: { [T in Act['type']]: (act: Extract<Act, { type: T }>) => void } = {
    request,
    press,
    react,
    unreact: react,
    decide,
    review: reviewed,
    leave_group: ({ desk, who }) => leaveGroup(desk, who),
    deactivate: ({ desk, who }) => deactivate(desk, who),
    archive: ({ type, desk }) => channelAct(type, desk),
    unarchive: ({ type, desk }) => channelAct(type, desk),
    share: ({ type, desk }) => channelAct(type, desk),
    unshare: ({ type, desk }) => channelAct(type, desk),
    delete_card: ({ n }) => deleteCard(n),
    set_policy: ({ desk, policy }) =>
      use(`olga sets the policy of ${desk}`, (replica) => setPolicy(replica, desk, policy), [4_000]),
    reconnect: ({ desk }) => reconnect(desk),
    disconnect: ({ desk }) =>
      use(`olga disconnects ${desk}`, ({ bot }) => bot().useCases.disconnect(idOf('T', desk)), [4_000]),
    revoke_token: ({ desk }) => {
      const organization = service.organizations.get(desk);
      if (organization) organization.tokens = [];
    },
    uninstall: ({ desk }) => uninstallApp(slack.world, installationOf(slack.world, idOf('T', desk))),
    install: ({ desk }) => reinstall(desk),
    set_clock: ({ replica, ahead }) => {
      world.skews[replica] = ahead;
    },
  };

  return {
    act: (act) => (acts[act.type] as (given: Act) => void)(act),
    async prepare(replica, desk, policy) {
      await install(replica, desk);
      await connect(replica, desk, firstToken(desk));
      await setPolicy(replica, desk, policy);
    },
  };
}
