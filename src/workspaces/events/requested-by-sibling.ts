/** Tells whether an event of one workspace is about another workspace's request. */
import type { IncomingEvent } from '../../requests/model/events/apply-event.ts';
import { ownerOf } from '../../requests/model/events/match.ts';
import { subjectOf } from '../../requests/model/record.ts';
import type { RequestStore } from '../../requests/ports/ports.ts';
import type { Connections } from '../connection/connections.ts';
import { isUnopened } from '../rotate-keys.ts';

const REQUESTS_CONSIDERED = 50;

/**
 * Compares an event of one workspace with the requests of others, which no other code does (promise 6). The service reports
 * every order of an organization to all its endpoints, whichever workspace made the request. So this shows the workspace less:
 * an event about another workspace's request is stored as a notice, and not posted. Only requests for this order, of
 * workspaces with the same token, are read: whoever holds the token sees the organization's orders anyway.
 *
 * @returns false unless it is certain: with another token the organization is unknown
 * @throws if the storage is unavailable
 */
export async function requestedBySibling(
  { connections, listBySubject }: { connections: Connections; listBySubject: RequestStore['listBySubject'] },
  { workspace, kind, event }: IncomingEvent,
): Promise<boolean> {
  // The target lacks characters of the id that came, so that it may be the id of another order.
  if (event.isAltered) return false;
  try {
    const connection = await connections.find(workspace);
    if (!connection) return false;
    for await (const other of connections.sharing(connection)) {
      const { records } = await listBySubject(other, subjectOf(kind, event.target), REQUESTS_CONSIDERED);
      const ofThisKind = records.filter((each) => each.kind === kind);
      if (ownerOf(event, ofThisKind)) return true;
    }
    return false;
  } catch (error) {
    // Stored data are permanently unreadable, so the answer is unknown: the event must not be lost because of that.
    if (isUnopened(error)) return false;
    throw error;
  }
}
