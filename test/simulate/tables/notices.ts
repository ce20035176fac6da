/** What the bot tells people without being asked: when it is owed, and what it says. */

/** Into the thread of the message that approvers vote on, once half of the time is over. */
export const REMINDER = /: This request still needs approval \(\d of \d/;
export const REMINDED_AFTER = 0.5;

/** Into the notifications channel, about an event that matches no request. */
export const UNMATCHED = /The order service announced that a request about order .+ No request .+ matches/;

/** To an admin, by direct message. */
export const TOKEN_REFUSED = /The order service no longer accepts this workspace's API token/;
export const POLICY_UNMET =
  /needs \d approvals?, but its approvers have changed and there are no longer enough/;
