const VISIBLE_END = 4;

/** A token as the journal shows it, so that the two can be compared: its last four characters alone. */
export const masked = (token: string): string => `***${token.slice(-VISIBLE_END)}`;
