/** Joins the use cases with what they need, for the listeners that call them. */

import { listSubBrands } from '../order-service/list-sub-brands.ts';
import { giveReason, mayGiveReason } from '../requests/approvals/give-reason.ts';
import { react } from '../requests/approvals/react.ts';
import { mayVote, vote } from '../requests/approvals/vote.ts';
import { ask, whetherMayAsk } from '../requests/ask.ts';
import { channelMoved } from '../requests/channel-moved.ts';
import { readHistory } from '../requests/history.ts';
import { findForIntervention, intervene } from '../requests/intervene.ts';
import { lookUp } from '../requests/look-up.ts';
import { sharingOf } from '../requests/sharing.ts';
import { sharingChanged } from '../requests/sharing-changed.ts';
import type { ListenerDeps } from '../slack/listeners/listener.ts';
import { changePolicy } from '../workspaces/change-policy.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import type { Common } from './context.ts';
import type { Work } from './work.ts';

export function createUseCases(
  { config, log, parts, store, workspaces, timings, slack }: Common,
  { trigger, noteDeparture, tokens }: Work,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service } = parts;
  const { directory, links } = slack;
  const deps = { store, directory, workspaces, trigger, timings };
  return {
    ask: (asking) => ask(deps, asking),
    whetherMayAsk: (who) => whetherMayAsk(deps, who),
    lookUp: (question) => lookUp(deps, question),
    readHistory: (question) => readHistory({ ...deps, retentionMs: config.retentionMs }, question),
    findForIntervention: (who) => findForIntervention(deps, who),
    intervene: (who, act) => intervene(deps, who, act),
    vote: (request, cast) => vote(deps, request, cast),
    mayVote: (request, cast) => mayVote(deps, request, cast),
    react: (reacting) => react(deps, reacting),
    giveReason: (given) => giveReason(deps, given),
    mayGiveReason: (who) => mayGiveReason(deps, who),
    sharingOf: (where) => sharingOf(deps, where),
    channelMoved: (which) => channelMoved({ ...deps, renameInSettings: settings.renameChannel }, which),
    sharingChanged: (where) => sharingChanged(deps, where),
    changePolicy: (whose, draft) => changePolicy({ directory, settings }, whose, draft),
    planConnect,
    connect,
    planDisconnect,
    disconnect,
    noteDeparture,
    subBrands: createSubBrands({ tokens, list: (token) => listSubBrands(service, token), now: Date.now }),
    settings: settings.read,
    saveSettings: settings.save,
    directory,
    installedIn: async (workspace) =>
      (await slack.installations.find(workspace)) && slack.clients.interactive(workspace),
    links,
    log,
  };
}
