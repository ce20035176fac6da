/** The live views, which a browser follows over a WebSocket (server/live.ts). */
import type { Feed } from '../../lib/feed.ts';
import type { Journal } from '../../lib/http/journal.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { userOf } from '../../slack/world/users.ts';
import { type InspectorContext, viewInspector } from './inspector.ts';
import type { ReadMarks } from './messages.ts';
import { viewWorkspace } from './workspace.ts';

export type PageContext = InspectorContext & {
  journal: Journal;
  reads: ReadMarks;
  /** Publishes changes that are neither in the journal nor in the world. */
  changed: Feed<undefined>;
};

export type LiveEvent = { event: string; data: unknown };

type Read = () => LiveEvent[];

export function liveView(context: PageContext, { pathname, searchParams }: URL): Read | string {
  if (pathname === '/live/workspace') return workspaceView(context, searchParams);
  if (pathname === '/live/inspector') return inspectorView(context);
  return `There is nothing to look at under ${pathname}.`;
}

/**
 * The workspace of one person (`as`: an id or a name) with one open conversation: an event `workspace` after every change.
 * Without `as`, or with that of an earlier sandbox, it is Ana's.
 */
function workspaceView(context: PageContext, query: URLSearchParams): Read {
  const { world } = context.slack;
  const as = query.get('as');
  const user =
    [...world.users.values()].find(({ id, name }) => id === as || name === as) ??
    userOf(world, SEED.users.ana);
  const wanted = query.get('conversation') ?? undefined;
  return () => [{ event: 'workspace', data: viewWorkspace({ ...context, world }, user, wanted) }];
}

/** The order service (`inspector`), what is under way (`underway`), and the journal as it grows (`traffic`). */
function inspectorView(context: PageContext): Read {
  const { journal } = context;
  let last = 0;
  return () => {
    const fresh = journal.entries(({ n }) => n > last);
    last = fresh.at(-1)?.n ?? last;
    return [
      { event: 'inspector', data: viewInspector(context) },
      { event: 'underway', data: journal.underway() },
      ...(fresh.length > 0 ? [{ event: 'traffic', data: fresh }] : []),
    ];
  };
}

/** Calls `notify` after every change that a live view may show. Returns a function that ends this. */
export function watchAll({ slack, journal, changed }: PageContext, notify: () => void): () => void {
  const ends = [
    slack.world.changes.subscribe(notify),
    journal.subscribe(notify),
    journal.onBegin(notify),
    changed.subscribe(notify),
  ];
  return () => {
    for (const end of ends) end();
  };
}
