import { EVENTS } from '../../blocks/ids.ts';
import type { Feature } from '../feature.ts';
import {
  botLeftEvent,
  channelMovedEvent,
  channelSharingEvent,
  groupChangedEvent,
  memberLeftEvent,
} from './membership.ts';
import { accessRevokedEvent, uninstalledEvent } from './uninstalled.ts';

/** Events about the app, its channels and its user groups. */
export const lifecycle: Feature = (deps) => ({
  events: {
    [EVENTS.appUninstalled]: uninstalledEvent(deps),
    [EVENTS.tokensRevoked]: uninstalledEvent(deps),
    [EVENTS.teamAccessRevoked]: accessRevokedEvent(deps),
    [EVENTS.channelShared]: channelSharingEvent(deps),
    [EVENTS.channelUnshared]: channelSharingEvent(deps),
    [EVENTS.channelIdChanged]: channelMovedEvent(deps),
    [EVENTS.channelLeft]: botLeftEvent(deps),
    [EVENTS.groupLeft]: botLeftEvent(deps),
    [EVENTS.memberLeftChannel]: memberLeftEvent(deps),
    [EVENTS.subteamUpdated]: groupChangedEvent(deps),
    [EVENTS.subteamMembersChanged]: groupChangedEvent(deps),
  },
});
