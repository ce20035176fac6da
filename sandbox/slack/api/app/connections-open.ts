import type { HttpRequest } from '../../../lib/http/server.ts';
import type { Sockets } from '../../delivery/socket/sockets.ts';
import { SlackError } from '../../slack-error.ts';
import type { World } from '../../world/world.ts';
import { authenticate } from './auth.ts';

/** The one method that takes the app's own token, and takes it in the header alone. */
export const APPS_CONNECTIONS_OPEN = 'apps.connections.open';

/** What an app on Socket Mode has to do with. */
export type SocketMode = {
  appToken: string;
  sockets: Pick<Sockets, 'issueTarget'>;
};

/** A WebSocket URL that can be opened once (https://docs.slack.dev/reference/methods/apps.connections.open). */
export function openAppConnection(
  token: string | undefined,
  { headers }: Pick<HttpRequest, 'headers'>,
  { world, appToken, sockets }: SocketMode & { world: World },
): { url: string } {
  if (token !== appToken) {
    authenticate(world, token);
    throw new SlackError('not_allowed_token_type');
  }
  if (!headers.authorization) throw new SlackError('invalid_auth');
  return { url: `ws://${headers.host}${sockets.issueTarget()}` };
}
