/** Tells the one who has installed Countermand what to do next. */
import type { webApi } from '@slack/bolt';
import type { Log } from '../../requests/ports.ts';
import type { NewInstallation } from '../../workspaces/installations.ts';
import { tellDirectly } from '../direct-message.ts';
import { welcomeMessage } from '../ui/welcome-message.ts';

/** It never throws: Countermand is installed, and the page says what to do, too. */
export async function welcome(
  client: webApi.WebClient,
  { id, installedBy }: NewInstallation,
  log: Log,
): Promise<void> {
  try {
    await tellDirectly(client, installedBy, welcomeMessage());
  } catch (err) {
    log.warn({ installation: id, user: installedBy, err }, 'the one who installed it could not be welcomed');
  }
}
