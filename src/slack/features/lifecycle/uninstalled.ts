/** Events about uninstalls and revoked tokens. */
import { installedFields } from '../../../workspaces/log-fields.ts';
import type { EventArgs, Listener, ListenerDeps } from '../listener.ts';

type UninstalledArgs = EventArgs<'app_uninstalled' | 'tokens_revoked'>;

/** Bolt authorizes neither event, because the token no longer exists. */
export function uninstalledEvent({ recordUninstall, log }: ListenerDeps): Listener<UninstalledArgs> {
  return async ({ body, event }) => {
    // Only a person's own token was revoked: the bot's tokens still work.
    if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return;
    const id = installationIn(body);
    if (id === undefined)
      return log.warn({ name: event.type }, 'uninstall ignored: no workspace or organization named');
    if (event.type === 'tokens_revoked') {
      log.error(
        { event: 'slack_token_refused', ...installedFields(id) },
        'Slack has revoked the bot token: nothing works there until Countermand is installed again and, where SLACK_BOT_TOKEN is set, that is the new token',
      );
    }
    await recordUninstall({ id, uninstalled: event.type === 'app_uninstalled' });
  };
}

/** Of an org-wide installation it is the organization's id. */
function installationIn({ authorizations, enterprise_id, team_id }: UninstalledArgs['body']) {
  const [about] = authorizations ?? [];
  const orgWide = about?.is_enterprise_install === true || !team_id;
  return (orgWide ? (about?.enterprise_id ?? enterprise_id) : team_id) ?? undefined;
}

/**
 * Records an uninstall for each workspace; Slack is asked before anything is removed.
 *
 * @see https://docs.slack.dev/reference/events/team_access_revoked
 */
export function accessRevokedEvent({
  recordUninstall,
  log,
}: ListenerDeps): Listener<EventArgs<'team_access_revoked'>> {
  return async ({ body: { authorizations, enterprise_id }, event: { type, team_ids } }) => {
    const organization = authorizations?.[0]?.enterprise_id ?? enterprise_id;
    if (!organization) return log.warn({ name: type }, 'revoked access ignored: no organization named');
    for (const id of team_ids) await recordUninstall({ id, uninstalled: true, organization });
  };
}
