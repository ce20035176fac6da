import type { HttpReply } from '../../lib/http/server.ts';
import { signInCookie } from '../../slack/oauth/signed-in.ts';
import { INSTALL_PATH } from '../view-model/install-path.ts';

/** Signs the person in, and redirects to the app's install page. Undefined for any other path. */
export function serveInstall(
  { pathname, searchParams }: URL,
  installUrl: string | undefined,
): HttpReply | undefined {
  const [user = '', place = ''] = [searchParams.get('as'), searchParams.get('in')].map((id) => id ?? '');
  if (pathname !== INSTALL_PATH || !installUrl || !/^\w+$/.test(user) || !/^\w+$/.test(place))
    return undefined;
  return { status: 302, headers: { location: installUrl, 'set-cookie': signInCookie({ user, place }) } };
}
