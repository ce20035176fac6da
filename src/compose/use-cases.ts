/** Joins the use cases with what they need, for the listeners that call them. */

import { listSubBrands } from '../order-service/list-sub-brands.ts';
import { createRequests } from '../requests/index.ts';
import type { ListenerDeps } from '../slack/features/listener.ts';
import { changePolicy } from '../workspaces/change-policy.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import type { Common } from './context.ts';
import type { Work } from './work.ts';

export function createUseCases(
  { config, log, parts, store, workspaces, timings, slack }: Common,
  { trigger, noteDeparture, approversChanged, tokens }: Work,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service } = parts;
  const { directory, links } = slack;
  const { now, monotonic } = parts.outside.runtime;
  const requests = createRequests({
    store,
    directory,
    workspaces,
    trigger,
    timings,
    renameInSettings: settings.renameChannel,
    retentionMs: config.retentionMs,
  });
  return {
    ...requests,
    changePolicy: (whose, draft) => changePolicy({ directory, settings }, whose, draft),
    planConnect,
    connect,
    planDisconnect,
    disconnect,
    noteDeparture,
    approversChanged,
    subBrands: createSubBrands({ tokens, list: (token) => listSubBrands(service, token, monotonic), now }),
    settings: settings.read,
    saveSettings: settings.save,
    directory,
    installedIn: async (workspace) =>
      (await slack.installations.find(workspace)) && slack.clients.interactive(workspace),
    links,
    log,
  };
}
