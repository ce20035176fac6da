/** How many due records are looked at, to choose from fairly: more than one workspace has to do at a time. */
export const DUE_LOOKED_AT = 10_000;
