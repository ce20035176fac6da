/** Joins the use cases with their ports, for the listeners that call them. */
import { listSubBrands } from '../order-service/token-calls.ts';
import type { Log, Wake } from '../outbox/ports.ts';
import { createRequests } from '../requests/index.ts';
import type { Directory } from '../requests/ports/ports.ts';
import type { ListenerDeps } from '../slack/features/listener.ts';
import { changePolicy, type PolicyChanged } from '../workspaces/settings.ts';
import type { Saved } from '../workspaces/settings-record.ts';
import { createSubBrands } from '../workspaces/sub-brands.ts';
import type { Adapters } from './adapters.ts';
import type { Background } from './background.ts';
import type { AppContext } from './context.ts';

export function createUseCases(
  { config, log, adapters, store, workspaces, timings, slack }: AppContext,
  { wake, recordUninstall, approversChanged, tokens, checkPaused, notifying, tellAdmins }: Background,
): ListenerDeps {
  const { settings, planConnect, connect, planDisconnect, disconnect, service, storage } = adapters;
  const { replicated } = storage;
  const { directory, links } = slack;
  const { monotonic, after } = adapters.outside.runtime;
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
    auditEntries: storage.auditEntries,
    recentRequests: storage.recentRequests,
    tellOfLimit: tellAdmins.ofLimit,
    pauses: settings,
    notifying,
    log,
  });
  return {
    ...requests,
    ...settingsUseCases(adapters, { directory, log, wake: notifying.wake }),
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
      monotonic,
    }),
    directory,
    installedIn: async (workspace) =>
      (await slack.installations.find(workspace)) && slack.clients.interactive(workspace),
    links,
    aboutWorkspace: slack.aboutWorkspace,
    limitPauses: storage.limiter.pauses,
    publishView: slack.publishView,
    monotonic,
    after,
    log,
  };
}

/**
 * Joins the use cases of the settings. Each change is logged, survives a failover once it is shown, and is told to the
 * notifications channel.
 */
function settingsUseCases(
  { settings, storage: { replicated } }: Adapters,
  { directory, log, wake }: { directory: Directory; log: Log; wake: Wake },
): Pick<ListenerDeps, 'changePolicy' | 'settings' | 'settingsInForce' | 'saveSettings'> {
  function logAndWake(
    { workspace, by: user }: { workspace: string; by: string },
    saved: Saved | PolicyChanged,
  ): void {
    if (saved.type !== 'saved') return;
    log.info({ workspace, user, changed: saved.changed }, 'settings changed');
    saved.notices.forEach(wake);
  }
  return {
    async changePolicy(whose, draft) {
      const changed = await replicated(() => changePolicy({ directory, settings }, whose, draft));
      logAndWake(whose, changed);
      return changed;
    },
    settings: settings.read,
    settingsInForce: settings.inForce,
    async saveSettings(workspace, given, shown, by) {
      const saved = await replicated(() => settings.save(workspace, given, shown, by));
      logAndWake({ workspace, by }, saved);
      return saved;
    },
  };
}
