/**
 * Who is signed in where, in a browser: the page of the workspace says it in a cookie, which reaches all ports of a host,
 * so that the authorize page can begin with that person and place.
 */
export type SignedIn = { user: string; place: string };

const COOKIE = 'sandbox-signed-in';

/** The header that signs somebody in. */
export const signInCookie = ({ user, place }: SignedIn): string =>
  `${COOKIE}=${user}.${place}; Path=/; HttpOnly; SameSite=Lax`;

/** Who is signed in by a request's cookies; anybody may have made them up. */
export function readSignedIn(cookies: string | undefined): Partial<SignedIn> {
  const [, user, place] = /(?:^|;\s*)sandbox-signed-in=(\w+)\.(\w+)/.exec(cookies ?? '') ?? [];
  return { ...(user && { user }), ...(place && { place }) };
}
