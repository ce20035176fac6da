/**
 * Decides which workspaces an event about a channel concerns. Several may have the channel, of one organization or of several
 * companies; Slack delivers the event once, whichever of them have the bot, and names one
 * (https://docs.slack.dev/apis/slack-connect/, "Support strategies by feature"; `authorizations` in
 * https://docs.slack.dev/apis/events-api/). With an org-wide installation it is the one where the channel was made
 * (https://github.com/slackapi/java-slack-sdk/issues/629).
 *
 * Each workspace is handled with its own rights, token and data. Which others have the channel is what Slack answers when the
 * named one asks: no payload can involve them.
 */
import type { AllMiddlewareArgs, webApi } from '@slack/bolt';
import { type ListenerDeps, workspaceOf } from './listener.ts';

/** A workspace that an event concerns, with its bot. */
type Concerned = { workspace: string; client: webApi.WebClient; botUserId: string | undefined };

type Deps = Pick<ListenerDeps, 'directory' | 'installations' | 'installedIn'>;

type InChannel = Pick<AllMiddlewareArgs, 'client' | 'context'> & {
  body: { is_ext_shared_channel?: boolean };
};

/**
 * Lists the workspaces that an event concerns: that which Slack names, and then those of the others that have both the channel
 * and the bot. Slack is asked for them only once the caller goes on after the first.
 *
 * @throws at its end, if another one could not be read: Slack must deliver the event again
 */
export async function* concernedBy(deps: Deps, event: InChannel, channel: string): AsyncGenerator<Concerned> {
  const { client, context } = event;
  const workspace = workspaceOf(context);
  yield { workspace, client, botUserId: context.botUserId };
  if (!mayBeShared(event) || !(await deps.installations.hasOthers(workspace))) return;
  const failures: unknown[] = [];
  for await (const other of othersWith(deps, workspace, channel)) {
    const found = await deps.installedIn(other).catch((error) => void failures.push(error));
    if (found) yield { workspace: other, ...found };
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Whether other workspaces may have the channel. The flag is that of a channel that another company has, too; for those within an
 * organization Slack has none.
 */
const mayBeShared = ({ body, context }: InChannel): boolean =>
  body.is_ext_shared_channel === true || Boolean(context.enterpriseId);

/** Lists the other workspaces of a channel, whether or not they have the bot. An organization stands for those known of it. */
async function* othersWith(
  { directory, installations }: Deps,
  workspace: string,
  channel: string,
): AsyncGenerator<string> {
  const listed = new Set([workspace]);
  for (const id of await directory.sharedWith(workspace, channel)) {
    for await (const other of id.startsWith('E') ? installations.workspacesOf(id) : [id]) {
      if (!listed.has(other)) yield other;
      listed.add(other);
    }
  }
}

/**
 * Acts in each workspace that an event concerns, whatever fails in another.
 *
 * @throws if it failed in one: Slack must deliver the event again
 */
export async function inEachConcerned(
  deps: Deps,
  event: InChannel,
  channel: string,
  act: (concerned: Concerned) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const concerned of concernedBy(deps, event, channel))
    await act(concerned).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
