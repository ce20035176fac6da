/**
 * The number of due records that are read of each workspace, so that `limit` of them can be chosen in turn: every other
 * workspace has at least one.
 */
export const shareOf = (limit: number, workspaces: number): number => Math.max(1, limit - workspaces + 1);
