import type { Feed } from '../lib/feed.ts';
import type { HttpRequest } from '../lib/http-server.ts';
import type { Journal } from '../lib/journal.ts';
import type { OrderService } from '../order-service/start.ts';
import type { Slack } from '../slack/start.ts';
import { SEED } from '../slack/world/seed.ts';
import { type Backstage, lookBackstage } from './backstage.ts';
import { stream, type Watch } from './live.ts';
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
  /** Tells of changes that neither the journal nor the world know of. */
  changed: Feed<undefined>;
};

/** What one person (`as`) sees, with one conversation open: an event `sight` after every change. */
export function workspaceStream(request: HttpRequest, house: House, query: URLSearchParams): void {
  const { world } = house.slack;
  const user = world.users.get(query.get('as') ?? SEED.users.ana);
  if (!user) {
    request.client.send({ status: 404, body: `There is no user ${query.get('as')}.` });
    return;
  }
  const wanted = query.get('conversation') ?? undefined;
  stream(request, house.id, watching(house), () => [
    { event: 'sight', data: look(world, house.reads, user, wanted) },
  ]);
}

/** The order service (`backstage`), what is under way (`underway`), and the journal as it grows (`traffic`). */
export function backstageStream(request: HttpRequest, house: House): void {
  const { journal, service, slack, troubles, transport } = house;
  stream(request, house.id, watching(house), (last) => {
    const fresh = journal.entries(({ n }) => n > last);
    return [
      { event: 'backstage', data: lookBackstage(service, slack, troubles, transport) },
      { event: 'underway', data: journal.underway() },
      ...(fresh.length > 0 ? [{ event: 'traffic', data: fresh, n: fresh.at(-1)?.n ?? last }] : []),
    ];
  });
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
