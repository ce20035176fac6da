/** Every command, submission, button and options request that the bot answers: id -> listener. */
import { KIND_NAMES } from '../requests/kinds.ts';
import { ACTIONS, askCallback, CALLBACKS, COMMANDS, EVENTS, type EventName } from './ids.ts';
import { approveAction } from './listeners/actions/approve.ts';
import { askChannelAction } from './listeners/actions/ask-channel.ts';
import { changePolicyAction } from './listeners/actions/change-policy.ts';
import { connectAction } from './listeners/actions/connect.ts';
import { denyAction } from './listeners/actions/deny.ts';
import { historyAction } from './listeners/actions/history.ts';
import { recordOutcomeAction } from './listeners/actions/record-outcome.ts';
import { retryAction } from './listeners/actions/retry.ts';
import { sayWhyAction } from './listeners/actions/say-why.ts';
import { subBrandsPageAction } from './listeners/actions/sub-brands-page.ts';
import { takeBackAction } from './listeners/actions/take-back.ts';
import { withdrawAction } from './listeners/actions/withdraw.ts';
import { askCommand } from './listeners/commands/ask.ts';
import { countermandCommand } from './listeners/commands/countermand.ts';
import { subBrandsCommand } from './listeners/commands/sub-brands.ts';
import { accessRevokedEvent } from './listeners/events/access-revoked.ts';
import { botLeftEvent } from './listeners/events/bot-left.ts';
import { channelMovedEvent } from './listeners/events/channel-moved.ts';
import { channelSharingEvent } from './listeners/events/channel-sharing.ts';
import { groupChangedEvent } from './listeners/events/group-changed.ts';
import { memberLeftEvent } from './listeners/events/member-left.ts';
import { reactionEvent } from './listeners/events/reaction.ts';
import { uninstalledEvent } from './listeners/events/uninstalled.ts';
import type {
  ActionArgs,
  CommandArgs,
  EventArgs,
  Listener,
  ListenerDeps,
  OptionsArgs,
  ViewArgs,
} from './listeners/listener.ts';
import { askersOptions } from './listeners/options/askers.ts';
import { emojiOptionsListener } from './listeners/options/emoji.ts';
import { askSubmission } from './listeners/views/ask.ts';
import { connectSubmission } from './listeners/views/connect.ts';
import { denySubmission } from './listeners/views/deny.ts';
import { disconnectSubmission } from './listeners/views/disconnect.ts';
import { policySubmission } from './listeners/views/policy.ts';
import { recordOutcomeSubmission } from './listeners/views/record-outcome.ts';
import { sayWhySubmission } from './listeners/views/say-why.ts';
import { settingsSubmission } from './listeners/views/settings.ts';
import { subBrandsSearch } from './listeners/views/sub-brands.ts';
import { withdrawSubmission } from './listeners/views/withdraw.ts';
import { WORDS } from './ui/words.ts';

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
