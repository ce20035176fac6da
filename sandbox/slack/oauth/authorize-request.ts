/** The request with which an app sends a person to the authorize page, and the scopes that it can ask for. */
import type { World } from '../world/world.ts';

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

/** The permissions of bot scopes, in the words of the authorize page. Any other name is not a scope. */
export const SCOPES: Readonly<Record<string, { group: 'view' | 'do'; text: string }>> = {
  'app_mentions:read': view('Messages that mention the app in conversations that it is in'),
  'channels:history': view('Messages and other content in public channels that the app has been added to'),
  'channels:join': act('Join public channels in the workspace'),
  'channels:manage': act('Manage public channels that the app has been added to, and create new ones'),
  'channels:read': view('Basic information about public channels in the workspace'),
  'chat:write': act('Send messages as the app'),
  'chat:write.customize': act('Send messages as the app with a customized username and avatar'),
  'chat:write.public': act('Send messages to channels that the app is not a member of'),
  commands: act('Add shortcuts and slash commands that people can use'),
  'files:read': view('Files shared in conversations that the app has been added to'),
  'files:write': act('Upload, edit, and delete files as the app'),
  'groups:history': view('Messages and other content in private channels that the app has been added to'),
  'groups:read': view('Basic information about private channels that the app has been added to'),
  'groups:write': act('Manage private channels that the app has been added to, and create new ones'),
  'im:history': view('Messages and other content in direct messages that the app has been added to'),
  'im:read': view('Basic information about direct messages that the app has been added to'),
  'im:write': act('Start direct messages with people'),
  'mpim:history': view('Messages and other content in group direct messages that the app has been added to'),
  'mpim:read': view('Basic information about group direct messages that the app has been added to'),
  'reactions:read': view('Emoji reactions and their content in conversations that the app has been added to'),
  'reactions:write': act('Add and edit emoji reactions'),
  'team:read': view('The name, email domain, and icon of workspaces that the app is connected to'),
  'usergroups:read': view('User groups in the workspace'),
  'users:read': view('People in the workspace'),
  'users:read.email': view('Email addresses of people in the workspace'),
};

function view(text: string) {
  return { group: 'view' as const, text };
}

function act(text: string) {
  return { group: 'do' as const, text };
}
