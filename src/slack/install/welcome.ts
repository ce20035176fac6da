/** Tells the one who has installed Countermand what to do next. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../requests/ports/ports.ts';
import type { NewInstallation } from '../../workspaces/installation/installations.ts';
import { installedFields } from '../../workspaces/log-fields.ts';
import { tellDirectly } from '../messages/direct-message.ts';
import { welcomeMessage } from './welcome-message.ts';

/**
 * Never throws: Countermand is installed, and the page says what to do, too.
 *
 * @returns whether the message is known to have been sent; Slack may refuse it, for example where the messages tab of the
 *   app is off (`messages_tab_disabled`, https://docs.slack.dev/reference/methods/chat.postMessage)
 */
export async function welcome(
  client: webApi.WebClient,
  { id, installedBy }: NewInstallation,
  log: Log,
): Promise<boolean> {
  try {
    await tellDirectly(client, installedBy, welcomeMessage());
    return true;
  } catch (err) {
    log.warn(
      { ...installedFields(id), user: installedBy, err },
      'the one who installed it could not be welcomed',
    );
    return false;
  }
}
