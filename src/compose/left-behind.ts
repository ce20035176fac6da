/** Warns at the start of workspaces whose data are stored, and which no installation in use serves. */
import type { Log } from '../outbox/ports.ts';
import type { Installations } from '../slack/client/installation.ts';
import { installedFields } from '../workspaces/installation/installation-record.ts';
import type { Adapters } from './adapters.ts';

/**
 * Whether an installation that is in use serves a workspace, or is that of an organization.
 *
 * @throws if Slack or the storage can't be asked
 */
const isServed = async (
  { installed, servedBy }: Pick<Installations, 'installed' | 'servedBy'>,
  id: string,
): Promise<boolean> =>
  // `installed` first: `servedBy` takes SLACK_BOT_TOKEN, once it is dead, for no installation, before its uninstall is recorded.
  (await installed({ workspace: id })) !== undefined || (await servedBy(id)) !== undefined;

/**
 * Warns of connections and installations that no installation in use serves. They stay: Slack can't be asked about a token that is
 * not known any more, and its report of an uninstall is not enough to remove what another configuration may serve.
 */
export async function warnOfLeftBehind(
  { connections, installations }: Adapters,
  installed: Pick<Installations, 'installed' | 'servedBy'>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  async function* stored(): AsyncGenerator<string, void> {
    yield* connections.ids();
    // Others have only a claim.
    for await (const id of installations.ids()) if (await installations.has(id)) yield id;
  }
  const warned = new Set<string>();
  for await (const id of stored()) {
    if (stopping.aborted) return;
    if (warned.has(id) || (await isServed(installed, id))) continue;
    warned.add(id);
    log.warn(
      installedFields(id),
      'data is stored, and no installation is known that serves this: install Countermand there or, if it was removed there, run countermand disconnect and countermand purge',
    );
  }
}
