/**
 * Authorizes Slack's payloads: decides in which workspace each acts, and finds the installation that serves it, before any
 * listener runs.
 */
import type { Authorize, AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import { z } from 'zod';
import { asError } from '../fault.ts';
import { isObject } from '../json.ts';
import type { Log } from '../outbox/ports.ts';
import { drawnIn } from './blocks/stamp.ts';
import type { SlackClients } from './client/clients.ts';
import { type Installation, NotInstalledError } from './client/installation.ts';
import type { NotLearnt } from './listeners/listener.ts';

const Payload = z.object({
  view: z.object({ team_id: z.string(), app_installed_team_id: z.string() }).partial().optional(),
  user: z.object({ team_id: z.string() }).partial().optional(),
  event: z.object({ type: z.string() }).partial().optional(),
  team_id: z.string().nullish(),
  context_team_id: z.string().nullish(),
  is_ext_shared_channel: z.boolean().nullish(),
});

/** Part of the context of an interaction: the error because of which the installation is not known. */
export type NotAuthorized = { notAuthorized?: Error };

/**
 * Creates the function that authorizes payloads. If that fails, it throws: Slack delivers an event again, and shows a person an
 * error of its own. A person who can be answered without a token reads ours (`guard` in bolt.ts).
 */
export function authorizeBy(clients: SlackClients, log: Log): Authorize<boolean> {
  return async (source, body) => {
    try {
      return await authorize(clients, log, source, body);
    } catch (error) {
      if (error instanceof NotInstalledError || !isAnsweredWithoutToken(body)) throw error;
      return { notAuthorized: asError(error) } satisfies NotAuthorized;
    }
  };
}

/** Whether the acknowledgement or a response_url can carry an answer. */
function isAnsweredWithoutToken(body: unknown): boolean {
  const { type, command, response_url } = isObject(body) ? body : {};
  return Boolean(command || response_url) || type === 'view_submission' || type === 'block_suggestion';
}

async function authorize(
  clients: SlackClients,
  log: Log,
  { teamId, enterpriseId, isEnterpriseInstall }: AuthorizeSourceData<boolean>,
  given: unknown,
): Promise<AuthorizeResult> {
  const body = Payload.safeParse(given).data ?? {};
  // The workspace has no working token any more. Bolt knows two other such events (app_uninstalled, tokens_revoked), and does
  // not authorize them.
  if (body.event?.type === 'team_access_revoked') return {};
  const organization = isEnterpriseInstall ? enterpriseId : undefined;
  // Bolt takes the envelope's workspace only if that of the authorization is null. Slack may also leave out that of the
  // authorization (https://github.com/slackapi/java-slack-sdk/issues/923).
  const named = workspaceIn(body, teamId ?? body.team_id ?? undefined, organization);
  const meant = await meantBy(clients, { drawn: drawnIn(given), named, organization: enterpriseId });
  // '' is no workspace, so nothing is installed there.
  const finding = clients.installation(meant ?? '', organization, body.event ? 'recent' : 'now');
  const { workspace, botToken, botUserId, notLearnt }: Found = await finding.catch((error) => {
    if (!body.event || organization === undefined) return ofOtherCompany(clients, body, error);
    const found = ofOrganization(clients, log, organization, error);
    return found.catch((err) => ofOtherCompany(clients, body, err));
  });
  // Not as `botToken`: Bolt makes a client for each of those, and keeps it for ever (`WebClientPool` in its App.js).
  return { teamId: workspace, token: botToken, botUserId, notLearnt };
}

/** `notLearnt`: as in the context (listeners/listener.ts). */
type Found = Installation & Pick<NotLearnt, 'notLearnt'>;

/**
 * Finds the organization's installation, which asks Slack about the channel of an event, if the workspace that Slack names beside
 * the organization does not act by itself (listeners/concerned.ts).
 *
 * @param error says that the workspace is another company's, or that Slack can't say whose it is. In the second case no vote is
 *   lost without the workspace: one that is not known has nothing stored.
 */
async function ofOrganization(
  clients: SlackClients,
  log: Log,
  organization: string,
  error: unknown,
): Promise<Found> {
  const found = await clients.installation(organization);
  if (error instanceof NotInstalledError) return found;
  log.warn({ organization, err: error }, 'workspace of an event not learnt');
  return { ...found, notLearnt: error };
}

/**
 * Finds another installation that an event names whose own is not stored, if several companies have its channel: Slack delivers
 * the event once, whoever of them it concerns (listeners/concerned.ts).
 *
 * @throws the error, if there is none
 */
async function ofOtherCompany(
  { installation }: SlackClients,
  { event, is_ext_shared_channel, team_id, context_team_id }: z.infer<typeof Payload>,
  error: unknown,
): Promise<Found> {
  if (!event || !is_ext_shared_channel || !(error instanceof NotInstalledError)) throw error;
  for (const id of [team_id, context_team_id]) {
    const found = await installation(id ?? '').catch((err) => {
      if (!(err instanceof NotInstalledError)) throw err;
    });
    if (found) return found;
  }
  throw error;
}

/**
 * Decides between the workspace for which something was drawn and the one that Slack names: the first, if both belong to one
 * organization; otherwise neither, because a click must not act where nobody clicked.
 *
 * @param drawn undefined for a shortcut or a command, and for what was drawn before anything was stamped
 * @param organization of the payload, if Slack names it
 */
async function meantBy(
  { memberOf }: Pick<SlackClients, 'memberOf'>,
  { drawn, named, organization }: Record<'drawn' | 'named' | 'organization', string | undefined>,
): Promise<string | undefined> {
  if (drawn === undefined || drawn === named) return named;
  const ours = organization ?? (named && (await memberOf(named)));
  return ours && (await memberOf(drawn)) === ours ? drawn : undefined;
}

/**
 * Finds the workspace that Slack names in a payload. For a view it is the workspace whose bot opened it. In a shared channel the
 * person may belong to another workspace, which Slack then names as `team`; Bolt corrects that only for submissions
 * (https://github.com/slackapi/bolt-js/issues/1614). For an org-wide installation Slack names the organization as the place
 * where the app is installed, so the workspace in which the view was opened counts, or that of the person. In place of these
 * Slack may name the organization (https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload).
 */
function workspaceIn(
  { view, user }: z.infer<typeof Payload>,
  team: string | undefined,
  organization: string | undefined,
) {
  const installed = view?.app_installed_team_id || team;
  if (installed === undefined || installed !== organization) return installed;
  return [view?.team_id, user?.team_id].find((id) => id !== undefined && id !== organization);
}
