/**
 * Implements the core's notifier over Slack: posts notices in the notifications channel or to admins, who are the creator of the
 * workspace's connection and its administrators.
 */
import type { ClaimGuard } from '../../outbox/ports.ts';
import {
  type AdminsNotice,
  channelOf,
  type Notice,
  recipientOf,
} from '../../requests/model/notices/notice.ts';
import type { LimitedNoticeEffect } from '../../requests/model/notices/notice-effects.ts';
import type { Addressees, Notifier } from '../../requests/ports/messenger.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { type AdministratorsDeps, administratorsOf } from '../../requests/use-cases/who-may.ts';
import { NOTICE_METADATA } from '../blocks/ids.ts';
import { type LimitedEffect, NOTHING_TAKEN } from '../client/rate-limits.ts';
import { adminsToNotify } from './admins-to-notify.ts';
import { callerOf, readSlack, type SlackCalls } from './call-slack.ts';
import { noticeMessage } from './content/notice.ts';
import {
  type Addressed,
  claimedMessageEffect,
  limitedMessageEffect,
  type OutgoingMessage,
  postMessage,
  updateMessage,
} from './deliver.ts';
import { findMessage } from './find-message.ts';
import { withNames } from './named-people.ts';
import { tidyCopies } from './tidy-messages.ts';

type NotifierDeps = SlackCalls & { administrators: AdministratorsDeps & { directory: Directory } };

export function createNotifier(deps: NotifierDeps): Notifier {
  const { directory } = deps.administrators;
  const outgoingOf = (notice: Notice) => outgoing(directory, notice);
  return {
    post: (notice, guard) => postMessage(deps, outgoingOf(notice), guard),
    update: (notice, guard) => updateMessage(deps, outgoingOf(notice), guard),
    find: (notice, guard) => findMessage(deps, outgoingOf(notice), guard),
    tidy: (notice, guard) => tidyCopies(deps, outgoingOf(notice), {}, guard),
    addressees: (notice, guard) => findAddressees(deps, notice, guard),
  };
}

const addressed = (notice: Notice): Addressed => {
  const channel = channelOf(notice);
  return {
    workspace: notice.workspace,
    callerOf: (effect) => callerOf(notice.id, effect),
    placeOf: () => (channel === undefined ? { person: recipientOf(notice) ?? '' } : { channel }),
  };
};

function outgoing(directory: Directory, notice: Notice): OutgoingMessage {
  const { id, delivery, at } = notice;
  return {
    ...addressed(notice),
    about: { notice: id },
    to: undefined,
    marker: { event_type: NOTICE_METADATA, event_payload: { notice: id } },
    delivery,
    location: delivery.status === 'posted' ? { channel: delivery.channel, ts: delivery.ts } : undefined,
    createdAt: at,
    async render(client) {
      const problem = await channelProblem(directory, notice);
      if (problem) return { type: 'hidden', code: problem };
      const message =
        notice.type === 'settings_changed'
          ? await withNames({ client, directory, workspace: notice.workspace }, (naming) =>
              noticeMessage(notice, naming),
            )
          : noticeMessage(notice);
      return { type: 'written', message, seen: {} };
    },
    named: (refused) => refused,
  };
}

async function findAddressees(
  deps: NotifierDeps,
  notice: AdminsNotice,
  guard: ClaimGuard,
): Promise<Addressees> {
  const { clients, administrators } = deps;
  const effect = {
    ...claimedMessageEffect(outgoing(administrators.directory, notice), 'post', { guard }),
    main: NOTHING_TAKEN,
  };
  return readSlack(deps, effect, async (client) => {
    const { workspace, connectedBy } = notice;
    const installation = await clients.installation(workspace);
    const found = await administratorsOf(administrators, workspace);
    const group = found.of === 'organization' ? found.group : undefined;
    const people = await adminsToNotify(client, installation, { connectedBy, group });
    return { type: 'found' as const, people };
  });
}

/**
 * The problem with the channel of a notice. It may have been shared since it was chosen, and external users must not see a
 * notice. With a token of an organization, a channel that can't be seen may be another workspace's, and yet take the post.
 */
async function channelProblem(
  directory: Directory,
  notice: Notice,
): Promise<'channel_not_found' | 'channel_shared' | undefined> {
  const id = channelOf(notice);
  if (id === undefined) return undefined;
  const channel = await directory.channelNow(notice.workspace, id, CHANNEL_MAX_AGE_MS);
  if (!channel) return 'channel_not_found';
  return channel.isShared ? 'channel_shared' : undefined;
}

/** An effect of a notice as the rate limits see it, before it is claimed. */
export const limitedNoticeEffect = (notice: Notice, effect: LimitedNoticeEffect): LimitedEffect =>
  limitedMessageEffect(addressed(notice), effect);
