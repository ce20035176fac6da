/** Performs the acts of admins: they connect and disconnect, install and uninstall, and set policies. */
import { installApp, installationOf, uninstallApp } from '../../../sandbox/slack/world/app/installations.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { SCOPES } from '../../../src/slack/client/scopes.ts';
import type { Act, PlannedPolicy } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { EMOJI } from '../tables/approvals.ts';
import { KINDS } from '../tables/requests.ts';
import { firstToken, idOf, type Team } from '../teams.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

const MINUTE_MS = 60_000;

/** A policy as an admin would set it. */
function policyOf(team: Team, { quorum, shownIn, expiresAfterMs = 60 * MINUTE_MS }: PlannedPolicy): Policy {
  return {
    approvers: { type: 'group', group: idOf('S', team, 'approvers') },
    channel: idOf('C', team, 'approvals'),
    shownIn,
    quorum,
    emoji: EMOJI,
    expiresAfterMs,
    reminds: true,
    mayWithdraw: true,
    setBy: idOf('U', team, 'olga'),
  };
}

export type Admins = {
  acts: ActHandlers<'set_policy' | 'save_policy' | 'reconnect' | 'disconnect' | 'uninstall' | 'install'>;
  /** Installs the app for a team, connects it and sets its policy. */
  prepare(replica: Replica, team: Team, policy: PlannedPolicy | undefined): Promise<void>;
};

export function createAdmins({ world, use }: PeopleContext): Admins {
  const { slack, service } = world;
  const tokens = new Map<Team, number>();

  async function connect(replica: Replica, team: Team, token: string): Promise<void> {
    const connected = await replica.bot().useCases.connect({
      workspace: idOf('T', team),
      token,
      tokenKind: 'rest',
      exclusive: true,
      by: idOf('U', team, 'olga'),
      newSecret: false,
    });
    if (connected.type !== 'connected') return;
    const secret = connected.secret ?? world.subscriptions.get(team)?.secret ?? '';
    world.subscriptions.set(team, { url: connected.eventsUrl, secret });
  }

  /** Creates a new token and connects the team with it. */
  function reconnect(team: Team): void {
    const n = (tokens.get(team) ?? 1) + 1;
    tokens.set(team, n);
    const token = `token-of-${team}-${n}`;
    service.organizations.get(team)?.tokens.push({ token, kind: 'rest' });
    use(`olga connects ${team}`, (replica) => connect(replica, team, token), [4_000, 30_000]);
  }

  async function install(replica: Replica, team: Team): Promise<void> {
    const id = idOf('T', team);
    const { token, bot_id, bot_user_id } = installationOf(slack.world, id);
    const { installations } = replica.bot().context.adapters;
    const row = {
      id,
      orgWide: false,
      scopes: SCOPES,
      botId: bot_id,
      botUserId: bot_user_id,
      installedBy: idOf('U', team, 'olga'),
    };
    await installations.add({
      ...row,
      expiresAt: undefined,
      organization: undefined,
      tokens: { bot: token },
    });
  }

  function reinstall(team: Team): void {
    const { installation } = installApp(slack.world, idOf('T', team), {
      token: `xoxb-${team}-${world.nextNumber()}`,
    });
    for (const channel of slack.world.channels.values())
      if (channel.team_id === installation.team_id) channel.members.add(installation.bot_user_id);
    world.reinstalled.add(team);
    use(`olga installs ${team}`, (replica) => install(replica, team), [4_000, 30_000]);
  }

  const setPolicy = (replica: Replica, team: Team, planned: PlannedPolicy | undefined) => {
    const policy = planned && policyOf(team, planned);
    const policies = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, policy]));
    return replica.bot().context.adapters.settings.change(idOf('T', team), {
      policies,
      notificationsChannel: idOf('C', team, 'approvals'),
    });
  };

  /** Saves the form of one policy right after opening it. */
  async function savePolicy(
    replica: Replica,
    { team, kind, expiresAfterMs }: Extract<Act, { type: 'save_policy' }>,
  ) {
    const { settings } = replica.bot().context.adapters;
    const workspace = idOf('T', team);
    const { version } = await settings.inForce(workspace);
    const policy = { ...policyOf(team, { quorum: 1, shownIn: 'where_requested' }), expiresAfterMs };
    const { type } = await settings.savePolicy(workspace, { kind, policy }, version);
    if (type === 'saved') world.savedPolicies.push({ team, kind, expiresAfterMs });
  }

  return {
    acts: {
      set_policy: ({ team, policy }) =>
        use(`olga sets the policy of ${team}`, (replica) => setPolicy(replica, team, policy), [4_000]),
      save_policy: (act) =>
        use(`olga saves the policy of ${act.kind}`, (replica) => savePolicy(replica, act)),
      reconnect: ({ team }) => reconnect(team),
      disconnect: ({ team }) =>
        use(`olga disconnects ${team}`, ({ bot }) => bot().useCases.disconnect(idOf('T', team)), [4_000]),
      uninstall: ({ team }) => uninstallApp(slack.world, installationOf(slack.world, idOf('T', team))),
      install: ({ team }) => reinstall(team),
    },
    async prepare(replica, team, policy) {
      await install(replica, team);
      await connect(replica, team, firstToken(team));
      await setPolicy(replica, team, policy);
    },
  };
}
