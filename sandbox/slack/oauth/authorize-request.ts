import type { World } from '../world/world.ts';
import { SCOPES } from './scopes.ts';

/** An app's request for authorization, from the address that it sends people to. */
export type AuthorizeRequest = {
  scopes: string[];
  /** As the app gave it. */
  redirect_uri: string | undefined;
  /** The address that the person is sent back to. */
  target: string;
  state: string | undefined;
  /** The workspace that the page shows first. */
  team: string | undefined;
};

/** An invalid authorize request. The person sees the reason, and is not sent back to the app. */
export class AuthorizeMistake extends Error {
  override readonly name = 'AuthorizeMistake';
}

/** Parses the query of the authorize URL. @throws AuthorizeMistake with the part that is wrong */
export function readAuthorizeRequest({ app }: World, query: URLSearchParams): AuthorizeRequest {
  if (query.get('client_id') !== app.clientId) {
    throw new AuthorizeMistake(
      `Invalid client_id parameter: no app has the client ID "${query.get('client_id') ?? ''}".`,
    );
  }
  const redirect_uri = query.get('redirect_uri') ?? undefined;
  const target = redirect_uri ?? app.redirectUrls?.[0];
  if (!target) throw new AuthorizeMistake('redirect_uri is missing, and the app has none configured.');
  if (!isAllowedTarget(target, app.redirectUrls)) {
    throw new AuthorizeMistake(`redirect_uri did not match any configured URIs. Passed URI: ${target}`);
  }
  return {
    scopes: readScopes(query),
    redirect_uri,
    target,
    state: query.get('state') ?? undefined,
    team: query.get('team') || undefined,
  };
}

function readScopes(query: URLSearchParams): string[] {
  const scopes = listed(query.get('scope'));
  const unknown = scopes.filter((scope) => !(scope in SCOPES));
  if (listed(query.get('user_scope')).length > 0) {
    throw new AuthorizeMistake('user_scope: the sandbox gives no tokens of people, only of bots.');
  }
  if (unknown.length > 0) throw new AuthorizeMistake(`Invalid permissions requested: ${unknown.join(', ')}`);
  if (scopes.length === 0) throw new AuthorizeMistake('scope is missing: the app requests no permissions.');
  return [...new Set(scopes)];
}

const listed = (text: string | null) => (text ?? '').split(/[\s,]+/).filter((each) => each !== '');

/** Whether the address is one of the app's redirect URLs, or below one. */
function isAllowedTarget(target: string, allowed: readonly string[] | undefined): boolean {
  const url = URL.parse(target);
  if (!url || !/^https?:$/.test(url.protocol) || url.hash) return false;
  if (!allowed) return true;
  return allowed.some((each) => {
    const base = URL.parse(each);
    if (base?.origin !== url.origin) return false;
    const path = base.pathname.replace(/\/$/, '');
    return url.pathname === base.pathname || url.pathname.startsWith(`${path}/`);
  });
}
