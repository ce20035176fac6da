/** Whether an event that comes to one workspace is about a request of another one. */
import type { Heard } from '../requests/model/events/apply-event.ts';
import { ownerOf } from '../requests/model/events/match.ts';
import { subjectOf } from '../requests/model/record.ts';
import type { RequestStore } from '../requests/ports/ports.ts';
import type { Connections } from './connection/connections.ts';
import { isUnopened } from './rotate-keys.ts';

export type AskedBesideDeps = {
  connections: Connections;
  listBySubject: RequestStore['listBySubject'];
};

const REQUESTS_CONSIDERED = 50;

/**
 * The service tells every endpoint of an organization about every order of it, whichever workspace asked. So here, and
 * nowhere else, one workspace's event is held against another one's requests (invariant 6). It is allowed because it
 * makes the workspace see less: it keeps an event in its inbox and does not tell it, as it is none of its business. Only
 * requests for this one order of workspaces with the very same token are looked at: who holds the token sees the orders
 * of the organization anyway. Nothing but a yes or a no leaves this function.
 *
 * @returns false wherever it is not certain: with another token nobody knows whose organization it is
 * @throws where the storage is away
 */
export async function askedBeside(deps: AskedBesideDeps, heard: Heard): Promise<boolean> {
  try {
    return await look(deps, heard);
  } catch (error) {
    // Something that is stored can't be read, and never will be: then nobody knows, and the event must not be lost for it.
    if (isUnopened(error)) return false;
    throw error;
  }
}

async function look({ connections, listBySubject }: AskedBesideDeps, { workspace, kind, event }: Heard) {
  const connection = await connections.find(workspace);
  if (!connection) return false;
  for await (const other of connections.sharing(connection)) {
    const records = await listBySubject(other, subjectOf(kind, event.target), REQUESTS_CONSIDERED);
    if (ownerOf(event, records)) return true;
  }
  return false;
}
