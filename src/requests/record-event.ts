/** Use case: the service says something about an order. It is answered only once it is written down. */
import type { Timings } from './agenda.ts';
import type { ServiceEvent } from './cause.ts';
import { updateRecord } from './entry.ts';
import { type Hearing, hear } from './hear.ts';
import type { Inbox } from './inbox.ts';
import type { Kind } from './kinds.ts';
import { ownerOf } from './match.ts';
import type { RequestStore, Trigger } from './ports.ts';
import { subjectOf } from './record.ts';

export type RecordEventDeps = { store: RequestStore; inbox: Inbox; trigger: Trigger; timings: Timings };

/** An event of the service, and the kind of request that events of its topic are about. */
export type Heard = { workspace: string; kind: Kind; event: ServiceEvent };

/** How many requests for one order are looked through for the one that an event is about. */
const REQUESTS_CONSIDERED = 50;

/**
 * Gives an event to the request it belongs to, or to the inbox.
 *
 * @param except the id of a request that it was held for, and turned out not to be about
 * @throws where the storage is away: the event was not recorded, and the sender must send it again
 */
export async function recordEvent(
  deps: RecordEventDeps,
  { workspace, kind, event }: Heard,
  except?: string,
): Promise<Hearing | 'unmatched'> {
  for (;;) {
    const subject = subjectOf(kind, event.target);
    const records = await deps.store.listBySubject(workspace, subject, REQUESTS_CONSIDERED);
    const owner = ownerOf(
      event,
      records.filter(({ id }) => id !== except),
    );
    if (!owner) {
      await deps.inbox.put(workspace, kind, event);
      return 'unmatched';
    }
    const { hearing, record } = hear(owner, event, await deps.store.now());
    // Where somebody else was faster, the event is heard again by the newer record.
    if (record !== owner && (await updateRecord(deps, record, owner.version)) === 'conflict') continue;
    deps.trigger(record);
    return hearing;
  }
}
