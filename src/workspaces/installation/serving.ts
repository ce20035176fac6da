/**
 * Finds out whether an organization goes on serving a workspace whose own installation is gone: then the workspace keeps its
 * data, and the organization's token is used for it. Only what Slack answers to that token counts. The name of an organization
 * alone may be out of date, or that of one that has never added the workspace and must not get its data.
 */
import type { UninstallDeps, UninstallRecord } from './uninstall-record.ts';

/**
 * Asks Slack about the organization that is stored for the workspace and the one that the report named. One that serves the
 * workspace is stored for it.
 *
 * @returns `stands`: an organization serves it. `gone`: none does now, but one may only be waiting for a new token. `unknown`:
 *   nobody knows, even if Slack refuses a token, which says nothing of the access. `none`: there is no organization to ask about
 */
export async function checkOrganizations(
  deps: UninstallDeps,
  { workspace, organization, named }: UninstallRecord,
): Promise<'stands' | 'gone' | 'unknown' | 'none'> {
  if (organization !== undefined) return 'none';
  const stored = await deps.organizationOf(workspace);
  const answers = new Set<'gone' | 'unknown'>();
  for (const candidate of new Set([named, stored])) {
    if (candidate === undefined || (await deps.servedBy(candidate)) !== candidate) continue;
    const access = await deps.checkInstalled({ workspace, organization: candidate });
    if (access !== 'stands') answers.add(access === 'gone' ? 'gone' : 'unknown');
    else {
      await deps.setOrganization(workspace, candidate);
      return access;
    }
  }
  if (answers.has('unknown')) return 'unknown';
  return answers.has('gone') ? 'gone' : 'none';
}
