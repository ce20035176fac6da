/** The server of the page: its files, its live views, and the control APIs of both services. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ControlRoute, route, serveControl } from '../../lib/control.ts';
import { createFeed } from '../../lib/feed.ts';
import { type HttpReply, type HttpRequest, type HttpServer, startHttpServer } from '../../lib/http/server.ts';
import type { AppMenu } from '../../lib/manifest.ts';
import { orderServiceRoutes } from '../../order-service/control-routes.ts';
import { slackRoutes } from '../../slack/control-routes.ts';
import { signInCookie } from '../../slack/oauth/decide.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import { directMessage } from '../../slack/world/channels.ts';
import type { World } from '../../slack/world/world.ts';
import { createPageFaults, PAGE_FAULTS, type PageFaults } from '../view-model/inspector.ts';
import { createReadMarks } from '../view-model/messages.ts';
import { INSTALL_PATH, peopleOf } from '../view-model/people.ts';
import type { PageContext } from '../view-model/views.ts';
import { createLiveServer, isOwn } from './live.ts';

export type PageOptions = Omit<PageContext, 'faults' | 'reads' | 'changed'> & {
  menu: AppMenu;
  code: string;
  port?: number;
};

const FOREIGN = 'The sandbox is for its own page and for programs, at 127.0.0.1 or localhost.';

const CLIENT = join(import.meta.dirname, '../client');
const STYLES = globSync('styles/*.css', { cwd: CLIENT }).sort();
const file = (name: string) => readFileSync(join(CLIENT, name), 'utf8');

export async function startPage({ menu, code, port, ...given }: PageOptions): Promise<HttpServer> {
  const { world } = given.slack;
  openDirectMessages(world);
  const unwatch = world.changes.subscribe(
    ({ type }) => type === 'app_installed' && openDirectMessages(world),
  );
  const faults = createPageFaults(given.service);
  const reads = createReadMarks(world.nextTs());
  const context: PageContext = { ...given, faults, reads, changed: createFeed() };
  const files = staticFiles(menu, code);
  const controls: Record<string, ControlRoute[]> = {
    '/slack': slackRoutes(given.slack, given.journal),
    '/orders': [...orderServiceRoutes(given.service, given.journal), faultRoute(faults)],
  };

  async function handle(request: HttpRequest): Promise<void> {
    if (!isOwn(request.headers)) return request.client.send({ status: 403, body: FOREIGN });
    const url = URL.parse(`http://page.test${request.target}`);
    if (!url) return request.client.send({ status: 400, body: 'not a path' });
    const { pathname } = url;
    const [prefix, routes] = Object.entries(controls).find(([each]) => pathname.startsWith(`${each}/`)) ?? [];
    if (prefix && routes) {
      await serveControl(routes, { ...request, target: request.target.slice(prefix.length) });
      return context.changed.publish(undefined);
    }
    request.client.send(
      files[pathname] ?? serveInstall(url, given.installUrl) ?? { status: 404, body: 'not found' },
    );
  }

  const live = createLiveServer(context);
  const server = await startHttpServer({ port, handle, upgrade: live.upgrade });
  return {
    ...server,
    close: () => {
      unwatch();
      live.close();
      return server.close();
    },
  };
}

/** Opens a direct message with the app for everybody, so that the app is in their sidebar. */
function openDirectMessages(world: World): void {
  for (const { id, team_id } of peopleOf(world)) {
    const app = installationServing(world, team_id);
    if (app?.status === 'active') directMessage(world, id, app.bot_user_id, team_id);
  }
}

function staticFiles(menu: AppMenu, code: string) {
  const of = (type: string, body: string) => ({ status: 200, headers: { 'content-type': type }, body });
  return {
    '/': of('text/html; charset=utf-8', file('index.html')),
    '/style.css': of('text/css; charset=utf-8', STYLES.map(file).join('\n')),
    '/client.js': of('text/javascript; charset=utf-8', code),
    '/menu.json': of('application/json', JSON.stringify(menu)),
  } as Record<string, { status: number; headers: Record<string, string>; body: string }>;
}

/** Signs the person in, and redirects to the app's install page. Undefined for any other path. */
function serveInstall(
  { pathname, searchParams }: URL,
  installUrl: string | undefined,
): HttpReply | undefined {
  const [user, place] = [searchParams.get('as') ?? '', searchParams.get('in') ?? ''];
  if (pathname !== INSTALL_PATH || !installUrl || !/^\w+$/.test(user) || !/^\w+$/.test(place))
    return undefined;
  return { status: 302, headers: { location: installUrl, 'set-cookie': signInCookie({ user, place }) } };
}

function faultRoute(faults: PageFaults): ControlRoute {
  const Switch = z.strictObject({ fault: z.enum(PAGE_FAULTS), isOn: z.boolean() });
  return route('POST', '/control/faults', Switch, ({ input: { fault, isOn } }) => faults.set(fault, isOn));
}
