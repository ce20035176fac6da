/** Admins: they connect and disconnect, install and uninstall, and set whose approval is needed. */

import { installApp, installationOf, uninstallApp } from '../../../sandbox/slack/world/app/installations.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { SCOPES } from '../../../src/slack/client/scopes.ts';
import { shownPolicy } from '../../../src/workspaces/settings.ts';
import type { Act, PlannedPolicy } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { firstToken } from '../world/service-side.ts';
import { type Desk, idOf } from '../world/slack-side.ts';
import type { Acts, Cast } from './cast.ts';
import { EMOJI } from './desk.ts';

const MINUTE_MS = 60_000;

/** A policy as an admin would set it. */
function policyOf(desk: Desk, { quorum, shownIn, expiresAfterMs = 60 * MINUTE_MS }: PlannedPolicy): Policy {
  return {
    approvers: { type: 'group', group: idOf('S', desk, 'approvers') },
    channel: idOf('C', desk, 'approvals'),
    shownIn,
    quorum,
    emoji: EMOJI,
    expiresAfterMs,
    reminds: true,
    mayWithdraw: true,
    setBy: idOf('U', desk, 'olga'),
  };
}

export type Admins = {
  acts: Acts<'set_policy' | 'save_policy' | 'reconnect' | 'disconnect' | 'uninstall' | 'install'>;
  /** Installs the app at a desk, connects it and sets its policy. */
  prepare(replica: Replica, desk: Desk, policy: PlannedPolicy | undefined): Promise<void>;
};

export function createAdmins({ world, use }: Cast): Admins {
  const { slack, service } = world;
  const tokens = new Map<Desk, number>();

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
    const { installations } = replica.bot().context.adapters;
    const row = {
      id,
      orgWide: false,
      scopes: SCOPES,
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
    return replica.bot().context.adapters.settings.change(idOf('T', desk), {
      policies,
      notificationsChannel: idOf('C', desk, 'approvals'),
    });
  };

  /** As the form of one policy is saved, right after it was shown. */
  async function savePolicy(
    replica: Replica,
    { desk, kind, expiresAfterMs }: Extract<Act, { type: 'save_policy' }>,
  ) {
    const { settings } = replica.bot().context.adapters;
    const workspace = idOf('T', desk);
    const standing = (await settings.read(workspace)).policies?.[kind];
    const policy = { ...policyOf(desk, { quorum: 1, shownIn: 'where_requested' }), expiresAfterMs };
    const { type } = await settings.savePolicy(workspace, { kind, policy }, shownPolicy(standing));
    if (type === 'saved') world.savedPolicies.push({ desk, kind, expiresAfterMs });
  }

  return {
    acts: {
      set_policy: ({ desk, policy }) =>
        use(`olga sets the policy of ${desk}`, (replica) => setPolicy(replica, desk, policy), [4_000]),
      save_policy: (act) =>
        use(`olga saves the policy of ${act.kind}`, (replica) => savePolicy(replica, act)),
      reconnect: ({ desk }) => reconnect(desk),
      disconnect: ({ desk }) =>
        use(`olga disconnects ${desk}`, ({ bot }) => bot().useCases.disconnect(idOf('T', desk)), [4_000]),
      uninstall: ({ desk }) => uninstallApp(slack.world, installationOf(slack.world, idOf('T', desk))),
      install: ({ desk }) => reinstall(desk),
    },
    async prepare(replica, desk, policy) {
      await install(replica, desk);
      await connect(replica, desk, firstToken(desk));
      await setPolicy(replica, desk, policy);
    },
  };
}
