/** Performs the acts of admins: they connect and disconnect, install and uninstall, and set policies. */
import { installApp, installationOf, uninstallApp } from '../../../sandbox/slack/world/app/installations.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { KINDS } from '../../support/seen-requests.ts';
import type { Act, PlannedPolicy } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { type Approvers, EMOJI } from '../tables/approvals.ts';
import { firstToken, idOf, type Team, TICKET, workspaceOf } from '../teams.ts';
import { works } from '../world/slack-side.ts';
import { installedSince, type World } from '../world/world.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

/**
 * The pauses between the tries to install. Slack replaces the token at each try, so until that is stored the bot has a token that
 * Slack refuses, for which it removes nothing by itself.
 */
const INSTALLED_AGAIN_MS = [4_000, 30_000, 5 * 60_000, 15 * 60_000, 60 * 60_000, 60 * 60_000];

const MINUTE_MS = 60_000;

/** The time after which somebody notices that the bot has no token that works. */
const NOTICED_MS = 20 * MINUTE_MS;

/** The admin. */
const OLGA = idOf('U', 'olga');

const APPROVERS: Readonly<Record<Approvers, Policy['approvers']>> = {
  group: { type: 'group', group: idOf('S', 'approvers') },
  people: { type: 'people', people: ['cara', 'dev', 'ana', 'gina'].map((name) => idOf('U', name)) },
  channel: { type: 'channel' },
};

/** A policy as an admin would set it. @param channel the approvals channel */
function policyOf(
  {
    approvers = 'group',
    quorum,
    shownIn,
    expiresAfterMs = 60 * MINUTE_MS,
    emoji = 'usual',
    isForAdminsToWithdraw = false,
  }: PlannedPolicy,
  channel: string,
): Policy {
  return {
    approvers: APPROVERS[approvers],
    channel,
    shownIn,
    quorum,
    emoji: EMOJI[emoji],
    expiresAfterMs,
    reminds: true,
    mayWithdraw: !isForAdminsToWithdraw,
    setBy: OLGA,
  };
}

export type Admins = {
  acts: ActHandlers<
    'set_policy' | 'save_policy' | 'pause' | 'resume' | 'reconnect' | 'disconnect' | 'uninstall' | 'install'
  >;
  /** Installs the app for a team, connects it and sets its policy. */
  prepare(replica: Replica, team: Team, policy: PlannedPolicy | undefined): Promise<void>;
};

export function createAdmins({ world, nextMoment, use }: PeopleContext): Admins {
  const { slack, service } = world;
  const tokens = new Map<Team, number>();
  /** Teams whose disconnection has not been acknowledged: it may still take effect, also after a new connection. */
  const disconnecting = new Set<Team>();
  /** How often the bot has acknowledged that a team is disconnected. */
  const disconnected = new Map<Team, number>();
  /** How often the app was uninstalled. */
  const uninstalls = new Map<Team, number>();
  /** Teams whose pause has not been acknowledged: it may still take effect, also after it was resumed. */
  const pausing = new Set<Team>();

  async function connect(replica: Replica, team: Team, token: string): Promise<void> {
    const before = disconnected.get(team);
    const connected = await replica.bot().useCases.connect({
      workspace: workspaceOf(team),
      token,
      tokenKind: 'rest',
      exclusive: true,
      by: OLGA,
      newSecret: false,
    });
    if (connected.type !== 'connected') return;
    // A disconnection that was acknowledged meanwhile may have ended this connection.
    if (!disconnecting.has(team) && disconnected.get(team) === before) world.spans.end('disconnected', team);
    if (token !== firstToken(team)) world.spans.end('token revoked', team);
    const isKnown = service.organizations.get(team)?.tokens.some((each) => each.token === token);
    if (isKnown) world.spans.end('dead token', team);
    else world.spans.begin('dead token', team);
    const secret = connected.secret ?? world.subscriptions.get(team)?.secret ?? '';
    world.subscriptions.set(team, { url: connected.eventsUrl, secret });
  }

  /** Creates a new token and connects the team with it. */
  function reconnect(team: Team): void {
    const n = (tokens.get(team) ?? 1) + 1;
    tokens.set(team, n);
    const token = `token-of-${team}-${n}`;
    service.organizations.get(team)?.tokens.push({ token, kind: 'rest' });
    world.spans.begin('connecting anew', team);
    use(`olga connects ${team}`, (replica) => connect(replica, team, token), [4_000, 30_000]);
  }

  /**
   * Comes back to the bot with a code. Exchanging it is what installs the app in Slack, so the tokens of an earlier try are dead
   * then (installApp).
   */
  async function install(replica: Replica, team: Team): Promise<void> {
    const id = workspaceOf(team);
    const { world: here } = slack.of[team];
    const { installations, storage } = replica.bot().context.adapters;
    const named = here.app.tokenRotation ? {} : { token: `xoxb-${team}-${world.nextNumber()}` };
    const { installation, issued } = installApp(here, id, named);
    const { access_token, refresh_token, expires_in } = issued;
    for (const channel of here.channels.values())
      if (channel.team_id === id) channel.members.add(installation.bot_user_id);
    const installed = {
      id,
      orgWide: false,
      organization: undefined,
      scopes: SCOPES,
      botUserId: installation.bot_user_id,
      installedBy: OLGA,
      tokens: { bot: access_token, ...(refresh_token ? { refresh: refresh_token } : {}) },
      expiresAt: expires_in === undefined ? undefined : world.scheduler.now() + expires_in * 1_000,
    };
    const isAccepted = async () => works(world, team, access_token);
    await storage.replicated(() => installations.add(installed, isAccepted));
    // Another try may have exchanged its code since.
    if (await isAccepted()) world.spans.end('uninstalled', team);
  }

  function reinstall(team: Team): void {
    const before = uninstalls.get(team);
    use(
      `olga installs ${team}`,
      async (replica) => {
        // A code from before the next uninstall installs nothing any more.
        if (uninstalls.get(team) !== before) return;
        // Until the new token is stored, the bot has one that Slack refuses. If it never is, people notice that nothing works.
        world.spans.begin('uninstalled', team);
        world.scheduler.after(NOTICED_MS, () => {
          if (uninstalls.get(team) === before && installedSince(world, team) === Number.POSITIVE_INFINITY)
            reinstall(team);
        });
        await install(replica, team);
      },
      INSTALLED_AGAIN_MS,
    );
  }

  /** Notes that a policy is being saved. @returns functions that note a try, and that the bot has acknowledged it */
  function savePlanned(saved: Omit<World['policies'][number], 'from' | 'known' | 'tries'>) {
    const noted = { ...saved, from: world.scheduler.now(), known: Number.POSITIVE_INFINITY, tries: 0 };
    world.policies.push(noted);
    return {
      tried: () => {
        noted.tries += 1;
      },
      acknowledged: () => {
        noted.known = Math.min(noted.known, world.scheduler.now());
      },
    };
  }

  /**
   * Sets all policies, whatever is stored. If the channel has moved meanwhile, its former id was written, so it is done again.
   */
  async function setPolicy(replica: Replica, team: Team, planned: PlannedPolicy | undefined): Promise<void> {
    const approvals = world.approvals[team];
    const policy = planned && policyOf(planned, approvals);
    const policies = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, policy]));
    const { settings, storage } = replica.bot().context.adapters;
    const { requestsPerHour = 'unlimited' as const } = world;
    const requesters = world.hasRequesters ? { requesters: idOf('S', 'requesters') } : {};
    const ticketHosts = [new URL(TICKET).host];
    const channel = { notificationsChannel: approvals };
    const change = { policies, ...channel, requestsPerHour, ticketHosts, ...requesters };
    await storage.replicated(() => settings.change(workspaceOf(team), change));
    if (approvals !== world.approvals[team]) await setPolicy(replica, team, planned);
  }

  /** Saves the form of one policy right after opening it. */
  function savePolicy({ team, kind, expiresAfterMs }: Extract<Act, { type: 'save_policy' }>): void {
    const planned: PlannedPolicy = { quorum: 1, shownIn: 'where_requested', expiresAfterMs };
    const { tried, acknowledged } = savePlanned({ team, kind, policy: planned });
    use(`olga saves the policy of ${kind}`, async (replica) => {
      tried();
      const { settings, storage } = replica.bot().context.adapters;
      const { version } = await settings.inForce(workspaceOf(team));
      const given = { kind, policy: policyOf(planned, world.approvals[team]) };
      const saved = await storage.replicated(() =>
        settings.savePolicy(workspaceOf(team), given, version, OLGA),
      );
      if (saved.type === 'saved') acknowledged();
    });
  }

  function replacePolicies({ team, policy }: Extract<Act, { type: 'set_policy' }>): void {
    const { tried, acknowledged } = savePlanned({ team, policy });
    use(
      `olga sets the policy of ${team}`,
      async (replica) => {
        tried();
        await setPolicy(replica, team, policy);
        acknowledged();
      },
      [4_000],
    );
  }

  function uninstall(team: Team): void {
    const here = slack.of[team].world;
    uninstalls.set(team, (uninstalls.get(team) ?? 0) + 1);
    world.spans.begin('uninstalled', team);
    world.spans.begin('disconnected', team);
    // Some time after this, no policy of the workspace is left.
    savePlanned({ team, policy: undefined });
    uninstallApp(here, installationOf(here, workspaceOf(team)));
  }

  function disconnect(team: Team): void {
    world.spans.begin('disconnected', team);
    disconnecting.add(team);
    use(
      `olga disconnects ${team}`,
      async ({ bot }) => {
        // If the answer was lost, Slack delivers it again, and it ends whatever connection there is by then.
        world.spans.begin('disconnected', team);
        disconnecting.add(team);
        await bot().useCases.disconnect(workspaceOf(team), OLGA);
        disconnecting.delete(team);
        disconnected.set(team, (disconnected.get(team) ?? 0) + 1);
        // It may have taken longer than a new connection, which has ended the span.
        world.spans.begin('disconnected', team);
      },
      [4_000],
    );
  }

  const clickIn = (team: Team) => ({
    workspace: workspaceOf(team),
    by: OLGA,
    moment: nextMoment(),
  });

  function pause(team: Team): void {
    world.spans.begin('paused', team);
    pausing.add(team);
    const noted: World['pauses'][number] = { team, from: world.scheduler.now() };
    world.pauses.push(noted);
    const what = clickIn(team);
    // It is not repeated: pressed again after sending was resumed, it would be another pause.
    use(`olga pauses sending of ${team}`, async ({ bot }) => {
      const { useCases } = bot();
      const { pause: begun } = await useCases.pauseSending(what);
      if (begun) noted.known ??= world.scheduler.now();
      pausing.delete(team);
      await useCases.showPause(what.workspace);
    });
  }

  function resume(team: Team): void {
    const noted = { from: world.scheduler.now() } as NonNullable<World['pauses'][number]['resumed']>;
    for (const each of world.pauses) if (each.team === team) each.resumed ??= noted;
    const what = clickIn(team);
    use(
      `olga resumes sending of ${team}`,
      async ({ bot }) => {
        const { useCases } = bot();
        // A pause that takes effect meanwhile is not ended by this.
        const mayBeginLater = pausing.has(team);
        const { pause: ended } = await useCases.resumeSending(what);
        if (ended) noted.known ??= world.scheduler.now();
        if (ended || !mayBeginLater) world.spans.end('paused', team);
        await useCases.showPause(what.workspace);
      },
      [4_000],
    );
  }

  /** Whether people can press buttons of the app: Slack shows none of an app that is uninstalled. */
  const isInstalled = (team: Team): boolean =>
    installationOf(slack.of[team].world, workspaceOf(team)).status === 'active';

  return {
    acts: {
      pause: ({ team }) => isInstalled(team) && pause(team),
      resume: ({ team }) => isInstalled(team) && resume(team),
      set_policy: (act) => isInstalled(act.team) && replacePolicies(act),
      save_policy: (act) => isInstalled(act.team) && savePolicy(act),
      reconnect: ({ team }) => reconnect(team),
      disconnect: ({ team }) => disconnect(team),
      uninstall: ({ team }) => uninstall(team),
      install: ({ team }) => reinstall(team),
    },
    async prepare(replica, team, policy) {
      await install(replica, team);
      await connect(replica, team, firstToken(team));
      const { acknowledged } = savePlanned({ team, policy });
      await setPolicy(replica, team, policy);
      acknowledged();
    },
  };
}
