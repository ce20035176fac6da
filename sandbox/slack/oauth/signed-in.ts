/**
 * The person and workspace that a browser is signed in to. The workspace page sets a cookie, which reaches all ports of a
 * host, so that the authorize page can begin with that person and place.
 */
export type SignedIn = { user: string; place: string };

const COOKIE = 'sandbox-signed-in';

/** Returns the cookie that signs a person in. */
export const signInCookie = ({ user, place }: SignedIn): string =>
  `${COOKIE}=${user}.${place}; Path=/; HttpOnly; SameSite=Lax`;

/** Reads the signed-in person from a request's cookies; anybody may have made them up. */
export function readSignedIn(cookies: string | undefined): Partial<SignedIn> {
  const [, user, place] = /(?:^|;\s*)sandbox-signed-in=(\w+)\.(\w+)/.exec(cookies ?? '') ?? [];
  return { ...(user && { user }), ...(place && { place }) };
}
