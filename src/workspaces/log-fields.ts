/** Names the log fields of a workspace or an organization. */

/** @param id the id of a workspace, which begins with T, or of an organization, which begins with E */
export const installedFields = (id: string): { workspace: string } | { organization: string } =>
  id.startsWith('E') ? { organization: id } : { workspace: id };
