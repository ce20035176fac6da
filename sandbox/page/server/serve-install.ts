import type { HttpReply } from '../../lib/http/server.ts';
import { type SignedIn, signInCookie } from '../../slack/oauth/signed-in.ts';

const PATH = '/install';

/** The page's own way to the app's install page: whoever goes it is signed in at Slack as this person, there. */
export const installPath = ({ user, place }: SignedIn): string =>
  `${PATH}?${new URLSearchParams({ as: user, in: place })}`;

/** Signs the person in, and leads to the app. Undefined for any other path. */
export function serveInstall(
  { pathname, searchParams }: URL,
  installUrl: string | undefined,
): HttpReply | undefined {
  const [user = '', place = ''] = [searchParams.get('as'), searchParams.get('in')].map((id) => id ?? '');
  if (pathname !== PATH || !installUrl || !/^\w+$/.test(user) || !/^\w+$/.test(place)) return undefined;
  return { status: 302, headers: { location: installUrl, 'set-cookie': signInCookie({ user, place }) } };
}
