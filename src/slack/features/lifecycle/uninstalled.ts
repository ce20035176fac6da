/** Slack tells that the app was uninstalled, or that its tokens were revoked. Both come, in either order. */

import { installedFields } from '../../../workspaces/log-fields.ts';
import type { EventArgs, Listener, ListenerDeps } from '../listener.ts';

type UninstalledArgs = EventArgs<'app_uninstalled' | 'tokens_revoked'>;

/** Bolt authorizes neither of these: there is no token left to do it with. */
export function uninstalledEvent({ noteDeparture, log }: ListenerDeps): Listener<UninstalledArgs> {
  return async ({ body, event }) => {
    // Somebody took back what they had allowed for themselves alone: the bot's own tokens work on.
    if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return;
    const id = installationIn(body);
    if (id === undefined)
      return log.warn({ event: event.type }, 'Slack did not say where it was uninstalled');
    if (event.type === 'tokens_revoked') {
      log.error(
        installedFields(id),
        'Slack has revoked the bot token: nothing works there until Countermand is installed again and, where SLACK_BOT_TOKEN is set, that is the new token',
      );
    }
    await noteDeparture({ id, uninstalled: event.type === 'app_uninstalled' });
  };
}

/** Of an org-wide installation it is the organization's id. */
function installationIn({ authorizations, enterprise_id, team_id }: UninstalledArgs['body']) {
  const [about] = authorizations ?? [];
  const orgWide = about?.is_enterprise_install === true || !team_id;
  return (orgWide ? (about?.enterprise_id ?? enterprise_id) : team_id) ?? undefined;
}
