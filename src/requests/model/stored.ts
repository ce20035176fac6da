/** The version of a record until the store has drawn one. */
export const NOT_STORED = 0;
