/** The use cases of requests, bound to their ports: what listeners, terminal commands and the simulation call. */
import { giveReason, mayGiveReason } from './use-cases/approvals/give-reason.ts';
import { react } from './use-cases/approvals/react.ts';
import { mayVote, takeBack, vote } from './use-cases/approvals/vote.ts';
import { channelMoved } from './use-cases/channel-moved.ts';
import { type AskDeps, ask, whetherMayAsk } from './use-cases/create-request.ts';
import { readHistory } from './use-cases/history.ts';
import { lookUp } from './use-cases/look-up.ts';
import { findForIntervention, intervene } from './use-cases/resolve-manually.ts';
import { sharingOf } from './use-cases/sharing.ts';
import { sharingChanged } from './use-cases/sharing-changed.ts';

/** `retentionMs`: how long requests are kept. */
export type RequestPorts = AskDeps & {
  renameInSettings: Parameters<typeof channelMoved>[0]['renameInSettings'];
  retentionMs: Parameters<typeof readHistory>[0]['retentionMs'];
};

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(ports: RequestPorts) {
  const bound =
    <Given extends unknown[], Result>(useCase: (ports: RequestPorts, ...given: Given) => Result) =>
    (...given: Given) =>
      useCase(ports, ...given);
  return {
    ask: bound(ask),
    whetherMayAsk: bound(whetherMayAsk),
    lookUp: bound(lookUp),
    readHistory: bound(readHistory),
    findForIntervention: bound(findForIntervention),
    intervene: bound(intervene),
    vote: bound(vote),
    mayVote: bound(mayVote),
    takeBack: bound(takeBack),
    react: bound(react),
    giveReason: bound(giveReason),
    mayGiveReason: bound(mayGiveReason),
    sharingOf: bound(sharingOf),
    channelMoved: bound(channelMoved),
    sharingChanged: bound(sharingChanged),
  };
}
