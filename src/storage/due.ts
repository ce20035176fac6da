/** The number of due records from which a fair choice is made: more than one workspace has at a time. */
export const DUE_LOOKED_AT = 10_000;
