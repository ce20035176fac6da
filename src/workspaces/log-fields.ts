/** The names under which lines of the log speak of what can install the app. */

/** @param id of a workspace, which begins with T, or of an organization, which begins with E */
export const installedFields = (id: string): { workspace: string } | { organization: string } =>
  id.startsWith('E') ? { organization: id } : { workspace: id };
