/** In place of a workspace: owns the records that belong to none, or to all. No id of a workspace is a star. */
export const NO_WORKSPACE = '*';

/** The version of a record until the store has drawn one. */
export const NOT_STORED = 0;
