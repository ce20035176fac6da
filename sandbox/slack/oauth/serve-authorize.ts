import type { Journal } from '../../lib/http/journal.ts';
import type { HttpReply, HttpRequest } from '../../lib/http/server.ts';
import { PersonError } from '../slack-error.ts';
import type { World } from '../world/world.ts';
import { renderAuthorize, renderMistake } from './authorize-page.ts';
import { AuthorizeMistake, type AuthorizeRequest, readAuthorizeRequest } from './authorize-request.ts';
import { decide, installTargets, readSignedIn } from './decide.ts';

/** The path of the authorize page, beside `/api/`. */
export const AUTHORIZE_PATH = '/oauth/v2/authorize';

type Context = { world: World; journal: Journal };

/** Serves the authorize page, and takes the person's choice. */
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

/** Returns the wanted workspace or organization, else the first one. */
function placeOf(world: World, wanted: string | undefined): { id: string; name: string } {
  const places = installTargets(world);
  const asked = places.find(({ id }) => id === wanted) ?? places[0];
  const place = world.teams.get(asked?.id ?? '') ?? world.enterprises.get(asked?.id ?? '');
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
