/** Binds the use cases of requests to their ports. src/compose provides the ports; listeners know only the type. */
import { approversChanged } from './use-cases/approvals/approvers-changed.ts';
import { keepingFormerPolicy } from './use-cases/approvals/draft-policy.ts';
import { giveReason, mayGiveReason } from './use-cases/approvals/give-reason.ts';
import { react } from './use-cases/approvals/react.ts';
import { mayVote, takeBack, vote } from './use-cases/approvals/vote.ts';
import { type CreateRequestDeps, createRequest } from './use-cases/create-request.ts';
import { readHistory } from './use-cases/history.ts';
import { type HomeDeps, readHome } from './use-cases/home.ts';
import { lookUp, readCustomerReply, readToRequestAgain } from './use-cases/look-up.ts';
import { type PauseSendingDeps, pauseSending, resumeSending, showPause } from './use-cases/pause-sending.ts';
import { checkRequester, usageBy } from './use-cases/requester.ts';
import { resolveManually } from './use-cases/resolve-manually.ts';
import { newerCalled } from './use-cases/same-target.ts';
import {
  botLeft,
  type ChannelMovedDeps,
  channelMoved,
  reachChanged,
  sharingChanged,
  sharingOf,
} from './use-cases/sharing.ts';
import { checkPlace, findWithRoles } from './use-cases/who-may.ts';

type RequestPorts = CreateRequestDeps &
  PauseSendingDeps &
  Pick<ChannelMovedDeps, 'renameInSettings' | 'notifying'> &
  Pick<HomeDeps, 'auditEntries'>;

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(ports: RequestPorts) {
  const bound =
    <Given extends unknown[], Result>(useCase: (ports: RequestPorts, ...given: Given) => Result) =>
    (...given: Given) =>
      useCase(ports, ...given);
  return {
    createRequest: bound(createRequest),
    checkPlace: bound(checkPlace),
    checkRequester: bound(checkRequester),
    usageBy: bound(usageBy),
    pauseSending: bound(pauseSending),
    resumeSending: bound(resumeSending),
    showPause: bound(showPause),
    lookUp: bound(lookUp),
    readHistory: bound(readHistory),
    readHome: bound(readHome),
    readToRequestAgain: bound(readToRequestAgain),
    readCustomerReply: bound(readCustomerReply),
    findWithRoles: bound(findWithRoles),
    newerCalled: bound(newerCalled),
    resolveManually: bound(resolveManually),
    vote: bound(vote),
    mayVote: bound(mayVote),
    takeBack: bound(takeBack),
    react: bound(react),
    keepingFormerPolicy: bound(keepingFormerPolicy),
    giveReason: bound(giveReason),
    mayGiveReason: bound(mayGiveReason),
    approversChanged: bound(approversChanged),
    sharingOf: bound(sharingOf),
    botLeft: bound(botLeft),
    reachChanged: bound(reachChanged),
    channelMoved: bound(channelMoved),
    sharingChanged: bound(sharingChanged),
  };
}
