/**
 * Decides which workspaces an event about a channel concerns. Several workspaces may have the channel, of one organization or of
 * several companies. Slack delivers the event once, even if several of them have the bot, and names one of them
 * (https://docs.slack.dev/apis/slack-connect/, "Support strategies by feature"; `authorizations` in
 * https://docs.slack.dev/apis/events-api/). With an org-wide installation Slack names the workspace in which the channel was
 * created, which may be another company's (https://github.com/slackapi/java-slack-sdk/issues/629,
 * https://github.com/slackapi/bolt-js/issues/687).
 *
 * - The installation that Slack authorized asks Slack who else has the channel, because its bot is there. If it can't tell (its
 *   token is dead, or its bot has left the channel), another installation that Slack names is asked, and then what Slack last said
 *   of the channel counts. Only an answer of Slack involves another workspace: no payload can.
 * - Each workspace acts with its own rights and data, and with its own installation or, if it has none, its organization's.
 * - The named workspace acts first, before Slack is asked, unless the event is authorized for an organization that it does not
 *   belong to.
 * - A workspace counts as one of an organization only if Slack lists it for that organization's token, never because an event
 *   names it (install/find-installations.ts). If Slack can't list them, the event is handled in the workspaces that are known: no
 *   other workspace has stored anything that an event could be about. Only a mention, an opened Home tab or a change of a user
 *   group that no known workspace handles is delivered again.
 */
import type { AllMiddlewareArgs, webApi } from '@slack/bolt';
import type { Log } from '../../outbox/ports.ts';
import { installedFields, isOrganization } from '../../workspaces/installation/installation-record.ts';
import { lacksScope } from '../client/call-slack.ts';
import { NotInstalledError } from '../client/installation.ts';
import type { ListenerDeps } from './listener.ts';

/** A workspace that an event concerns, with its bot. */
export type Concerned = { workspace: string; client: webApi.WebClient; botUserId: string | undefined };

type Deps = Pick<ListenerDeps, 'directory' | 'installations' | 'installedIn' | 'log'>;

/**
 * `team_id`: the workspace in which the channel was created (https://github.com/slackapi/java-slack-sdk/issues/629).
 * `context_team_id`: no page says which; usually the one that the event is authorized for.
 */
type InChannel = Pick<AllMiddlewareArgs, 'client' | 'context'> & {
  event: { type: string };
  body: { is_ext_shared_channel?: boolean; team_id?: string; context_team_id?: string };
};

/**
 * The id of the installation that Slack authorized an event for.
 *
 * @throws if Slack named none: a fault, because each event is authorized
 */
export function authorizedFor({ teamId, enterpriseId, isEnterpriseInstall }: InChannel['context']): string {
  const id = isEnterpriseInstall ? enterpriseId : teamId;
  if (!id) throw new Error('Slack named no installation.');
  return id;
}

/**
 * Lists the workspaces that an event concerns: first the one that Slack names, then the others that have both the channel and the
 * bot. Slack is asked for the others only when the caller goes on after the first.
 *
 * @param mayConcernOthers asked after the first. If not, Slack is not asked: it allows about fifty looks at channels a minute, which
 *   people who make requests need
 * @throws at the end, if a later delivery may tell who has the channel, or the installation of another workspace could not be read: Slack
 *   must deliver the event again
 */
export async function* concernedBy(
  deps: Deps,
  event: InChannel,
  channel: string,
  mayConcernOthers = async () => true,
): AsyncGenerator<Concerned> {
  const {
    client,
    context,
    body,
    event: { type: name },
  } = event;
  const authorized = authorizedFor(context);
  const named = context.teamId ?? authorized;
  if (!isOrganization(named)) {
    yield { workspace: named, client, botUserId: context.botUserId };
    // hasOthers reads the storage at each event.
    if (!mayBeShared(event) || !(await mayConcernOthers())) return;
    if (!(await deps.installations.hasOthers(named))) return;
  }
  const companies = body.is_ext_shared_channel ? [body.team_id, body.context_team_id] : [];
  const asked = new Set([authorized, ...companies.filter((id) => typeof id === 'string')]);
  const { teams, failures } = await teamsWith(deps, asked, { channel, name });
  for await (const other of othersIn(deps, teams, named)) {
    const found = await deps.installedIn(other).catch((error) => void failures.push(error));
    if (found) yield { workspace: other, ...found };
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Whether other workspaces may have the channel. Slack's flag tells only of other companies: for the workspaces of one
 * organization there is no flag.
 */
const mayBeShared = ({ body, context }: InChannel): boolean =>
  body.is_ext_shared_channel === true || Boolean(context.enterpriseId);

/**
 * Finds who has a channel (`SlackDirectory.teamsWith`).
 *
 * @param asked the installations to ask, until one can tell. None tells of a direct message, which no other workspace has
 * @param event `name`: its type, for the log
 * @returns `failures`: why it was not learnt, if a later delivery may tell; `teams` are then what Slack last said
 */
async function teamsWith(
  { directory, log }: Deps,
  asked: ReadonlySet<string>,
  { channel, name }: { channel: string; name: string },
): Promise<{ teams: readonly string[]; failures: unknown[] }> {
  const failures: unknown[] = [];
  for (const installation of asked) {
    const teams = await directory.teamsWith(installation, channel).catch((error) => {
      if (lacksScope(error))
        log.warn(
          { ...installedFields(installation), name, err: error },
          'not learnt which other workspaces have the channel of an event: the bot token lacks a scope',
        );
      else if (!(error instanceof NotInstalledError)) failures.push(error);
      return [];
    });
    if (teams.length > 0) return { teams, failures: [] };
  }
  return { teams: directory.lastTeamsWith(channel), failures };
}

/** Lists the other workspaces among those that have a channel. For an organization, its known workspaces are listed. */
async function* othersIn(
  { installations }: Deps,
  teams: readonly string[],
  named: string,
): AsyncGenerator<string> {
  const listed = new Set([named]);
  for (const id of teams) {
    for await (const other of isOrganization(id) ? installations.workspacesOf(id) : [id]) {
      if (!listed.has(other)) yield other;
      listed.add(other);
    }
  }
}

/**
 * Acts in each workspace that an event concerns, even if that fails in another one. That the bot's token lacks a scope in one is
 * logged: no later delivery would help there.
 *
 * @throws if it failed in one for another reason: Slack must deliver the event again
 */
export async function inEachConcerned(
  deps: Deps,
  event: InChannel,
  channel: string,
  act: (concerned: Concerned) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const concerned of concernedBy(deps, event, channel))
    await act(concerned)
      .catch(ifScopeMissing(deps.log, concerned.workspace, event.event.type, undefined))
      .catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Handles a failure to act on an event where the bot token lacks a scope: it is logged, since no later delivery would help, and
 * Slack ends the events of all workspaces if too few are acknowledged (https://docs.slack.dev/reference/events/app_rate_limited).
 *
 * @param installation the workspace or the organization of the token
 * @param name the type of the event
 * @param instead the value to go on with
 * @throws any other failure
 */
export const ifScopeMissing =
  <T>(log: Log, installation: string, name: string, instead: T) =>
  (err: unknown): T => {
    if (!lacksScope(err)) throw err;
    log.warn(
      { ...installedFields(installation), name, err },
      'event not handled: the bot token lacks a scope',
    );
    return instead;
  };
