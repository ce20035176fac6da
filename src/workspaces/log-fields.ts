/** Names the log fields of a workspace or an organization, and of its settings. */
import type { Log } from '../outbox/ports.ts';
import type { Saved } from './settings.ts';

/** @param id the id of a workspace, which begins with T, or of an organization, which begins with E */
export const installedFields = (id: string): { workspace: string } | { organization: string } =>
  id.startsWith('E') ? { organization: id } : { workspace: id };

/** Logs settings that were saved. @param by the admin */
export function logSettings(
  log: Log,
  { workspace, by }: { workspace: string; by: string },
  saved: Saved,
): void {
  if (saved.type === 'saved') log.info({ workspace, user: by, changed: saved.changed }, 'settings changed');
}
