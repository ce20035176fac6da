/** Serves the page on which a person allows or denies the app. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '../../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../../lib/http/server.ts';
import { PersonError } from '../slack-error.ts';
import { APP } from '../world/app/installations.ts';
import type { User } from '../world/types.ts';
import { placeWith } from '../world/workspaces.ts';
import type { World } from '../world/world.ts';
import {
  AuthorizeMistake,
  type AuthorizeRequest,
  decide,
  installersAt,
  installTargets,
  readAuthorizeRequest,
  readSignedIn,
  SCOPES,
} from './decide.ts';

export const AUTHORIZE_PATH = '/oauth/v2/authorize';

type Context = { world: World; journal: Journal };

export async function serveAuthorize(request: HttpRequest, context: Context): Promise<void> {
  request.client.send(answer(request, context));
}

function answer({ method, target, body, headers }: HttpRequest, context: Context): HttpReply {
  const { pathname, searchParams: query } = new URL(target, 'http://slack.test');
  if (pathname !== AUTHORIZE_PATH) return { status: 404, body: 'not found' };
  try {
    const asked = readAuthorizeRequest(context.world, query);
    if (method === 'POST') return redirect(context, asked, new URLSearchParams(body));
    const signedIn = readSignedIn(headers.cookie);
    const place = placeOf(context.world, asked.team ?? signedIn.place);
    return html(200, renderAuthorize(context.world, asked, query, { ...signedIn, place }));
  } catch (error) {
    if (error instanceof AuthorizeMistake) return html(400, renderMistake(error.message));
    if (error instanceof PersonError) return html(403, renderMistake(error.message));
    throw error;
  }
}

function redirect(context: Context, asked: AuthorizeRequest, form: URLSearchParams): HttpReply {
  const user = context.world.users.get(form.get('user') ?? '');
  if (!user || user.deleted) throw new PersonError('there is no such person');
  const decision = form.get('decision');
  if (decision !== 'allow' && decision !== 'deny')
    throw new PersonError('neither Allow nor Deny was pressed');
  const team = form.get('team') ?? '';
  const location = decide(context, asked, { user, team, allow: decision === 'allow' });
  return { status: 302, headers: { location } };
}

function placeOf(world: World, wanted: string | undefined): { id: string; name: string } {
  const places = installTargets(world);
  const { id = '' } = places.find((each) => each.id === wanted) ?? places[0] ?? {};
  const place = placeWith(world, id);
  if (!place) throw new PersonError('there is no workspace');
  return place;
}

const html = (status: number, body: string): HttpReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  },
  body,
});

const STYLE = readFileSync(join(import.meta.dirname, 'authorize.css'), 'utf8');

/** Escapes text for HTML, in attributes, too. */
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

function pageOf(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>`;
}

function renderMistake(message: string): string {
  const main = `<h1>Something went wrong when authorizing this app</h1>
<p class="mistake">${escapeHtml(message)}</p>
<p>Nothing was installed. If you develop the app, check its settings. Otherwise start again from the app's own page.</p>`;
  return pageOf('Error authorizing an app', main);
}

/**
 * Renders the page on which a person allows or denies the app.
 * @param query the original query: choosing another workspace loads the page again
 * @param shown the chosen workspace or organization, and the signed-in person, if any
 */
function renderAuthorize(
  world: World,
  { scopes }: AuthorizeRequest,
  query: URLSearchParams,
  { place, user }: { place: { id: string; name: string }; user?: string },
): string {
  const where = `${place.name} ${world.enterprises.has(place.id) ? 'organization' : 'workspace'}`;
  const title = `${APP.name} is requesting permission to access the ${where}`;
  const main = `${renderPlaces(world, query, place.id)}
<h1>${escapeHtml(title)}</h1>
${renderState(world, place.id)}
${renderScopes(`What will ${APP.name} be able to view?`, 'view', scopes)}
${renderScopes(`What will ${APP.name} be able to do?`, 'do', scopes)}
${renderDecision(world, place.id, user)}`;
  return pageOf(title, main);
}

function renderPlaces(world: World, query: URLSearchParams, chosen: string): string {
  const kept = [...query]
    .filter(([name]) => name !== 'team')
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
  const options = installTargets(world).map(
    ({ id, name }) =>
      `<option value="${escapeHtml(id)}"${id === chosen ? ' selected' : ''}>${escapeHtml(name)}</option>`,
  );
  return `<form method="get">
${kept.join('\n')}
<label for="place">Workspace</label>
<select id="place" name="team">${options.join('')}</select>
<button>Choose</button>
</form>`;
}

function renderState({ installations }: World, id: string): string {
  if (installations.get(id)?.status !== 'active') return '';
  return `<p class="note">${APP.name} is installed here already. Allowing it again gives it a new token.</p>`;
}

function renderScopes(title: string, group: 'view' | 'do', scopes: readonly string[]): string {
  const items = scopes
    .filter((scope) => SCOPES[scope]?.group === group)
    .map((scope) => `<li>${escapeHtml(SCOPES[scope]?.text ?? '')} <code>${escapeHtml(scope)}</code></li>`);
  return items.length === 0 ? '' : `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('\n')}</ul>`;
}

function renderDecision(world: World, id: string, signedIn: string | undefined): string {
  const people = installersAt(world, id);
  if (people.length === 0) return '<p class="note">Nobody here may install apps.</p>';
  const options = people.map(({ id: user, real_name, ...flags }) => {
    const selected = user === signedIn ? ' selected' : '';
    return `<option value="${escapeHtml(user)}"${selected}>${escapeHtml(real_name)}${roleOf(flags)}</option>`;
  });
  return `<form method="post">
<input type="hidden" name="team" value="${escapeHtml(id)}">
<label for="person">You are</label>
<select id="person" name="user">${options.join('')}</select>
<button name="decision" value="deny">Deny</button>
<button name="decision" value="allow">Allow</button>
</form>`;
}

function roleOf({ is_owner, is_admin, is_org_admin }: Partial<User>): string {
  if (is_org_admin) return ' (organization admin)';
  if (is_owner) return ' (owner)';
  return is_admin ? ' (admin)' : '';
}
