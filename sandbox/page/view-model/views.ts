import type { Feed } from '../../lib/feed.ts';
import type { Journal } from '../../lib/http/journal.ts';
import type { OrderService } from '../../order-service/start.ts';
import type { Slack } from '../../slack/start.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import type { Live, Watch } from '../server/live.ts';
import { type Backstage, lookBackstage } from './backstage.ts';
import type { ReadMarks } from './read-marks.ts';
import { look } from './sight.ts';
import type { Troubles } from './troubles.ts';

/** Everything that the page looks at. */
export type House = {
  /** Of this sandbox alone. */
  id: string;
  journal: Journal;
  slack: Slack;
  service: OrderService;
  troubles: Troubles;
  reads: ReadMarks;
  transport: Backstage['transport'];
  /** The app's own page for installing it; left out: it is installed in one workspace, and stays there. */
  installUrl?: string | undefined;
  /** Tells of changes that neither the journal nor the world know of. */
  changed: Feed<undefined>;
};

/** What is to be looked at under a path, or a sentence about what is not there. */
export function liveView(house: House, { pathname, searchParams }: URL): Live | string {
  if (pathname === '/live/workspace') return workspaceView(house, searchParams);
  if (pathname === '/live/backstage') return backstageView(house);
  return `There is nothing to look at under ${pathname}.`;
}

/** What one person (`as`) sees, with one conversation open: an event `sight` after every change. */
function workspaceView(house: House, query: URLSearchParams): Live | string {
  const {
    slack: { world },
    reads,
    installUrl,
  } = house;
  const id = query.get('as') ?? SEED.users.ana;
  const user = world.users.get(id);
  if (!user) return `There is no user ${id}.`;
  const wanted = query.get('conversation') ?? undefined;
  return {
    sandbox: house.id,
    watch: watching(house),
    read: () => [{ event: 'sight', data: look({ world, reads, installUrl }, user, wanted) }],
  };
}

/** The order service (`backstage`), what is under way (`underway`), and the journal as it grows (`traffic`). */
function backstageView(house: House): Live {
  const { journal } = house;
  return {
    sandbox: house.id,
    watch: watching(house),
    read: (last) => {
      const fresh = journal.entries(({ n }) => n > last);
      return [
        { event: 'backstage', data: lookBackstage(house) },
        { event: 'underway', data: journal.underway() },
        ...(fresh.length > 0 ? [{ event: 'traffic', data: fresh, n: fresh.at(-1)?.n ?? last }] : []),
      ];
    },
  };
}

const watching =
  ({ slack, journal, changed }: House): Watch =>
  (notify) => {
    const ends = [
      slack.world.changes.subscribe(notify),
      journal.subscribe(notify),
      journal.onBegin(notify),
      changed.subscribe(notify),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
