/**
 * Keeps messages from being posted twice (promise 3; docs/reliability.md, "Each message once"). The core searches for a message
 * whose post is in doubt (`find`) before it posts anything again, and has copies removed that may have appeared since
 * (`tidy`). Both need the claim: whoever acted without it might remove what another process has just kept.
 */
import type { webApi } from '@slack/bolt';
import { type CopiesPlace, type FindResult, type TidyResult, tidyAt } from '../../../outbox/delivery.ts';
import type { ClaimGuard } from '../../../outbox/ports.ts';
import { callSlack, type SlackCalls } from '../call-slack.ts';
import { toLater } from '../effect-failures.ts';
import { claimedMessageEffect, type Outgoing, threadAt } from '../outgoing.ts';
import { findPosted, type Search } from './find-message.ts';
import { tidyMessages } from './tidy-messages.ts';

/** Never throws. */
export async function findMessage(
  deps: SlackCalls,
  outgoing: Outgoing,
  guard: ClaimGuard,
): Promise<FindResult> {
  const effect = claimedMessageEffect(outgoing, 'find', { guard });
  const found = await callSlack(deps, effect, async (client) =>
    findPosted(client, await searchFor(deps, client, outgoing), { ...guard, log: deps.log }),
  );
  if (found.type === 'refused') return outgoing.named(found);
  return found.type === 'doubtful' ? toLater(found) : found;
}

/** Removes all copies of a message but one, in one place. Never throws. */
export async function tidyCopies(
  deps: SlackCalls,
  outgoing: Outgoing,
  copies: Partial<CopiesPlace>,
  guard: ClaimGuard,
): Promise<TidyResult> {
  const { to, thread } = copies;
  const { delivery } = outgoing;
  const effect = claimedMessageEffect(outgoing, 'tidy', { guard, to });
  const tidied = await callSlack(deps, effect, async (client) => {
    const search = await searchFor(deps, client, outgoing, copies);
    const isElsewhere = isInAnotherPlace(outgoing, copies);
    return tidyMessages(client, search, {
      recorded: delivery?.status === 'posted' ? { ...delivery, isElsewhere } : undefined,
      found: tidyAt(delivery?.tidies, { to, thread })?.found ?? [],
      inTime: guard.inTime,
      log: deps.log,
    });
  });
  return tidied.type === 'doubtful' ? toLater(tidied) : tidied;
}

/** Whether copies are in another place than their message. */
function isInAnotherPlace({ placeOf, to: current }: Outgoing, { to, thread }: Partial<CopiesPlace>): boolean {
  const place = placeOf();
  const parent = 'under' in place ? place.under?.ts : undefined;
  return to !== current || (thread !== undefined && thread !== parent);
}

/** The place and time of messages that may be the message: one in doubt, or copies to be tidied. */
async function searchFor(
  { clients }: SlackCalls,
  client: webApi.WebClient,
  outgoing: Outgoing,
  { to, thread }: Partial<CopiesPlace> = {},
): Promise<Search> {
  const { delivery, createdAt, marker } = outgoing;
  const tidy = tidyAt(delivery?.tidies, { to, thread });
  const doubt = delivery?.status === 'doubtful' ? delivery : tidy;
  const place = await threadAt(client, outgoing.placeOf(to), doubt?.thread);
  const { botId } = await clients.installation(outgoing.workspace);
  const { since = createdAt, until = createdAt, bound } = doubt ?? {};
  return { place, botId, metadata: marker, since, until, bound };
}
