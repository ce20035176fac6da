/**
 * Keeps messages of requests from being posted twice (promise 3; docs/running.md, "Each message once"). The core searches
 * for a message whose post is in doubt (`find`) before it posts anything again, and has copies removed that may have
 * appeared since (`tidy`). Both need the claim: whoever acted without it might remove what another process has just kept.
 */
import type { webApi } from '@slack/bolt';
import { type CopiesPlace, tidyAt } from '../../../outbox/delivery.ts';
import { deliveryOf, destinationOfReply } from '../../../requests/model/facts/messages.ts';
import { threadOf } from '../../../requests/model/facts/notifications.ts';
import type { MessageKey } from '../../../requests/model/message.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Messenger } from '../../../requests/ports/messenger.ts';
import { callSlack, type SlackCalls } from '../call-slack.ts';
import { destinationOf, metadata } from '../destination.ts';
import { namedProblem, toLater } from '../effect-failures.ts';
import { slackEffect } from '../slack-effect.ts';
import { findPosted, type Search } from './find-message.ts';
import { tidyMessages } from './tidy-messages.ts';

export function createSearching(deps: SlackCalls): Pick<Messenger, 'find' | 'tidy'> {
  return {
    async find(record, messageKey, guard) {
      const effect = slackEffect(record, { type: 'find', messageKey }, guard);
      const found = await callSlack(deps, effect, async (client) =>
        findPosted(client, await searchFor(deps, client, record, { messageKey }), {
          ...guard,
          log: deps.log,
        }),
      );
      if (found.type === 'refused')
        return messageKey.type === 'approval_message' ? namedProblem(found) : found;
      return found.type === 'doubtful' ? toLater(found) : found;
    },
    async tidy(record, copies, guard) {
      const effect = slackEffect(record, { type: 'tidy', ...copies }, guard);
      const tidied = await callSlack(deps, effect, async (client) => {
        const search = await searchFor(deps, client, record, copies);
        const standing = deliveryOf(record, copies.messageKey);
        return tidyMessages(client, search, {
          recorded:
            standing?.status === 'posted'
              ? { ...standing, isElsewhere: isElsewhere(record, copies) }
              : undefined,
          found: tidyAt(standing?.tidies, copies)?.found ?? [],
          inTime: guard.inTime,
          log: deps.log,
        });
      });
      return tidied.type === 'doubtful' ? toLater(tidied) : tidied;
    },
  };
}

/** Whether copies are in another place than their message. */
const isElsewhere = (
  record: RequestRecord,
  { messageKey, to, thread }: { messageKey: MessageKey } & CopiesPlace,
) =>
  to !== destinationOfReply(record, messageKey) ||
  (thread !== undefined && thread !== threadOf(record, messageKey));

/** The place and time of messages that may stand for a step: one in doubt, or copies to be tidied. */
async function searchFor(
  { clients }: SlackCalls,
  client: webApi.WebClient,
  record: RequestRecord,
  { messageKey, to, thread }: { messageKey: MessageKey } & Partial<CopiesPlace>,
): Promise<Search> {
  const delivery = deliveryOf(record, messageKey);
  const tidy = tidyAt(delivery?.tidies, { to, thread });
  const doubt = delivery?.status === 'doubtful' ? delivery : tidy;
  const place = await destinationOf(client, record, messageKey, { to, thread: doubt?.thread });
  const { botId } = await clients.installation(record.workspace);
  const { since = record.createdAt, until = record.createdAt, bound } = doubt ?? {};
  return { place, botId, ...metadata(record, messageKey), since, until, bound };
}
