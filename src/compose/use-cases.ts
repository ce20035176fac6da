/** Joins the use cases with their ports, for the listeners that call them. */

import { listSubBrands } from '../order-service/list-sub-brands.ts';
import { createRequests } from '../requests/index.ts';
import type { ListenerDeps } from '../slack/features/listener.ts';
import { changePolicy } from '../workspaces/change-policy.ts';
import { logSettings } from '../workspaces/log-fields.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import type { Background } from './background.ts';
import type { AppContext } from './context.ts';

export function createUseCases(
  { config, log, adapters, store, workspaces, timings, slack }: AppContext,
  { wake, recordUninstall, approversChanged, tokens, checkPaused, notifying, tellAdmins }: Background,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service, storage } = adapters;
  const { replicated } = storage;
  const { directory, links } = slack;
  const { monotonic } = adapters.outside.runtime;
  const requests = createRequests({
    store,
    replicated,
    directory,
    workspaces,
    wake,
    timings,
    renameInSettings: settings.renameChannel,
    approversChanged,
    retentionMs: config.retentionMs,
    recentRequests: storage.recentRequests,
    tellOfLimit: tellAdmins.ofLimit,
    pauses: settings,
    notifying,
    log,
  });
  return {
    ...requests,
    async changePolicy(whose, draft) {
      const changed = await replicated(() => changePolicy({ directory, settings }, whose, draft));
      if (changed.type === 'saved') logSettings(log, whose, changed);
      return changed;
    },
    planConnect,
    connect,
    planDisconnect,
    disconnect,
    checkPaused,
    recordUninstall,
    approversChanged,
    subBrands: createSubBrands({
      tokens,
      list: (token) => listSubBrands(service, token, monotonic),
      now: monotonic,
    }),
    settings: settings.read,
    settingsInForce: settings.inForce,
    async saveSettings(workspace, given, shown, by) {
      const saved = await replicated(() => settings.save(workspace, given, shown, by));
      logSettings(log, { workspace, by }, saved);
      return saved;
    },
    directory,
    installedIn: async (workspace) =>
      (await slack.installations.find(workspace)) && slack.clients.interactive(workspace),
    links,
    monotonic,
    log,
  };
}
