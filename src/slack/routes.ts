/** Every command, submission, button and options request that the bot answers: id -> listener. */
import { KIND_NAMES } from '../requests/model/kinds.ts';
import { ACTIONS, askCallback, CALLBACKS, COMMANDS, EVENTS, type EventName } from './blocks/ids.ts';
import { WORDS } from './blocks/kind-copy.ts';
import { sayWhySubmission } from './features/approval/add-reason.ts';
import { sayWhyAction } from './features/approval/add-reason-button.ts';
import { approveAction } from './features/approval/approve.ts';
import { denySubmission } from './features/approval/decline.ts';
import { denyAction } from './features/approval/decline-button.ts';
import { reactionEvent } from './features/approval/reaction.ts';
import { takeBackAction } from './features/approval/take-back.ts';
import { connectAction } from './features/connection/connect-button.ts';
import { connectSubmission } from './features/connection/connect-submission.ts';
import { disconnectSubmission } from './features/connection/disconnect-submission.ts';
import { countermandCommand } from './features/help/command.ts';
import { historyAction } from './features/history/turn-page.ts';
import { accessRevokedEvent } from './features/lifecycle/access-revoked.ts';
import { botLeftEvent } from './features/lifecycle/bot-left.ts';
import { channelMovedEvent } from './features/lifecycle/channel-moved.ts';
import { channelSharingEvent } from './features/lifecycle/channel-sharing.ts';
import { groupChangedEvent } from './features/lifecycle/group-changed.ts';
import { memberLeftEvent } from './features/lifecycle/member-left.ts';
import { uninstalledEvent } from './features/lifecycle/uninstalled.ts';
import type {
  ActionArgs,
  CommandArgs,
  EventArgs,
  Listener,
  ListenerDeps,
  OptionsArgs,
  ViewArgs,
} from './features/listener.ts';
import { askChannelAction } from './features/request/channel.ts';
import { askCommand } from './features/request/command.ts';
import { askSubmission } from './features/request/submission.ts';
import { withdrawSubmission } from './features/request/withdraw.ts';
import { recordOutcomeSubmission } from './features/resolve/record-outcome.ts';
import { recordOutcomeAction } from './features/resolve/record-outcome-button.ts';
import { retryAction } from './features/resolve/retry.ts';
import { withdrawAction } from './features/resolve/withdraw.ts';
import { changePolicyAction } from './features/settings/change-policy.ts';
import { emojiOptionsListener } from './features/settings/emoji.ts';
import { policySubmission } from './features/settings/policy-submission.ts';
import { askersOptions } from './features/settings/requesters.ts';
import { settingsSubmission } from './features/settings/submission.ts';
import { subBrandsCommand } from './features/sub-brands/command.ts';
import { subBrandsSearch } from './features/sub-brands/search.ts';
import { subBrandsPageAction } from './features/sub-brands/turn-page.ts';

export type SlackRoutes = {
  commands: Record<string, Listener<CommandArgs>>;
  views: Record<string, Listener<ViewArgs>>;
  actions: Record<string, Listener<ActionArgs>>;
  options: Record<string, Listener<OptionsArgs>>;
  events: { [Name in EventName]: Listener<EventArgs<Name>> };
};

export function slackRoutes(deps: ListenerDeps): SlackRoutes {
  return {
    commands: {
      ...Object.fromEntries(KIND_NAMES.map((kind) => [WORDS[kind].command, askCommand(kind, deps)])),
      [COMMANDS.subBrands]: subBrandsCommand(deps),
      [COMMANDS.countermand]: countermandCommand(deps),
    },
    views: {
      ...Object.fromEntries(KIND_NAMES.map((kind) => [askCallback(kind), askSubmission(kind, deps)])),
      [CALLBACKS.connect]: connectSubmission(deps),
      [CALLBACKS.disconnect]: disconnectSubmission(deps),
      [CALLBACKS.settings]: settingsSubmission(deps),
      [CALLBACKS.policy]: policySubmission(deps),
      [CALLBACKS.deny]: denySubmission(deps),
      [CALLBACKS.sayWhy]: sayWhySubmission(deps),
      [CALLBACKS.recordOutcome]: recordOutcomeSubmission(deps),
      [CALLBACKS.withdraw]: withdrawSubmission(deps),
      [CALLBACKS.subBrands]: subBrandsSearch(deps),
    },
    actions: {
      [ACTIONS.connect]: connectAction(deps),
      [ACTIONS.channel]: askChannelAction(deps),
      [ACTIONS.approve]: approveAction(deps),
      [ACTIONS.deny]: denyAction(deps),
      [ACTIONS.takeBack]: takeBackAction(deps),
      [ACTIONS.withdraw]: withdrawAction(deps),
      [ACTIONS.sayWhy]: sayWhyAction(deps),
      [ACTIONS.changePolicy]: changePolicyAction(deps),
      [ACTIONS.retry]: retryAction(deps),
      [ACTIONS.recordOutcome]: recordOutcomeAction(deps),
      [ACTIONS.subBrandsPrevious]: subBrandsPageAction(-1, deps),
      [ACTIONS.subBrandsNext]: subBrandsPageAction(1, deps),
      [ACTIONS.historyState]: historyAction('newest', deps),
      [ACTIONS.historyKind]: historyAction('newest', deps),
      [ACTIONS.historyPerson]: historyAction('newest', deps),
      [ACTIONS.historyAge]: historyAction('newest', deps),
      [ACTIONS.historyNewest]: historyAction('newest', deps),
      [ACTIONS.historyOlder]: historyAction('older', deps),
    },
    options: {
      [ACTIONS.askers]: askersOptions(),
      [ACTIONS.approverGroup]: askersOptions(),
      [ACTIONS.emojiYes]: emojiOptionsListener(),
      [ACTIONS.emojiNo]: emojiOptionsListener(),
    },
    events: eventRoutes(deps),
  };
}

function eventRoutes(deps: ListenerDeps): SlackRoutes['events'] {
  return {
    [EVENTS.reactionAdded]: reactionEvent(deps),
    [EVENTS.reactionRemoved]: reactionEvent(deps),
    [EVENTS.appUninstalled]: uninstalledEvent(deps),
    [EVENTS.tokensRevoked]: uninstalledEvent(deps),
    [EVENTS.channelShared]: channelSharingEvent(deps),
    [EVENTS.channelUnshared]: channelSharingEvent(deps),
    [EVENTS.channelIdChanged]: channelMovedEvent(deps),
    [EVENTS.channelLeft]: botLeftEvent(deps),
    [EVENTS.groupLeft]: botLeftEvent(deps),
    [EVENTS.memberLeftChannel]: memberLeftEvent(deps),
    [EVENTS.subteamUpdated]: groupChangedEvent(deps),
    [EVENTS.subteamMembersChanged]: groupChangedEvent(deps),
    [EVENTS.teamAccessRevoked]: accessRevokedEvent(deps),
  };
}
