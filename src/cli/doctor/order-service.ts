/** Checks the order service, the tokens of the connected workspaces, and the events that came from it. */
import type { Adapters } from '../../compose/adapters.ts';
import type { TokenCheck } from '../../requests/ports/ports.ts';
import { hasUnsignedEvents } from '../../workspaces/unsigned-events.ts';
import { type Finding, ok, problem, unknown, warning } from './finding.ts';

const WHAT = 'order service';

const MOST_CONNECTIONS_CHECKED = 20;

/** A made-up token: each order service refuses it, and by that shows that it answers. */
export const MADE_UP_TOKEN = 'countermand-check';

/** @param isUsable whether the storage can be read @param url of the order service */
export async function checkOrderService(adapters: Adapters, url: URL, isUsable: boolean): Promise<Finding[]> {
  const reached = reachedText(await adapters.checkToken(MADE_UP_TOKEN), url);
  const isReached = reached.status !== 'problem';
  return [reached, ...(isReached && isUsable ? await checkConnections(adapters) : [])];
}

/** @param check the result for `MADE_UP_TOKEN` */
export function reachedText(check: TokenCheck, { origin }: URL): Finding {
  if (check.type === 'unreachable')
    return problem(
      WHAT,
      `${origin} can not be reached. Check ORDER_SERVICE_URL, the network and its certificate (NODE_EXTRA_CA_CERTS).`,
    );
  if (check.type !== 'unverified') return ok(WHAT, `${origin} answers`);
  return warning(
    WHAT,
    `${origin} answers, but not as an order service does (${check.code}). Check ORDER_SERVICE_URL.`,
  );
}

async function checkConnections({ connections, checkToken, storage }: Adapters): Promise<Finding[]> {
  const findings: Finding[] = [];
  let checked = 0;
  let unreadable = 0;
  for await (const workspace of connections.ids()) {
    if (checked === MOST_CONNECTIONS_CHECKED) break;
    // The check of the keys tells of a connection that can't be read.
    const held = await tokenOf(connections, workspace).catch(() => 'unreadable' as const);
    if (held === 'unreadable') unreadable += 1;
    if (!held || held === 'unreadable') continue;
    checked += 1;
    findings.push(aboutToken(workspace, await checkToken(held.token)));
    if (await hasUnsignedEvents(storage.unsignedEvents, held.connection))
      findings.push(problem('events', unsignedText(workspace)));
  }
  if (checked > 0) return findings;
  return [unreadable > 0 ? unknown(WHAT, NOT_READABLE) : warning(WHAT, NOT_CONNECTED)];
}

async function tokenOf({ find, token: read }: Adapters['connections'], workspace: string) {
  const connection = await find(workspace);
  const token = connection && (await read(connection));
  return connection && token !== undefined ? { connection, token } : undefined;
}

const NOT_CONNECTED =
  'No workspace is connected. Type /countermand connect in Slack, or use "countermand connect".';

const NOT_READABLE =
  'No stored connection can be read, so no token was checked. The line about the keys says what to do.';

const unsignedText = (workspace: string): string =>
  `Events for ${workspace} came without a valid signature within the last hour. Give the order service the secret that connecting shows ("countermand connect --new-secret" makes another one).`;

function aboutToken(workspace: string, check: TokenCheck): Finding {
  switch (check.type) {
    case 'accepted':
    case 'limited':
      return ok(WHAT, `accepts the token of ${workspace}`);
    case 'refused':
      return problem(
        WHAT,
        `does not accept the token of ${workspace} (401). Connect the workspace with another one. A GraphQL token may be refused here and accepted for calls.`,
      );
    default:
      return warning(
        WHAT,
        `did not say whether it accepts the token of ${workspace} (${'code' in check ? check.code : 'no answer'}). Run this again later.`,
      );
  }
}
