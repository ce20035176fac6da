/** The messages that the bot sends without being asked: when each is owed, and what it says. */

/** Into the thread of the message that approvers vote on, once half of the time is over. */
export const REMINDER = /^(?:.+: )?This request still needs approval \(\d of \d/;
export const REMINDED_AFTER = 0.5;

/** Into the same thread, when a request that approvers have seen before needs them again. */
export const ASKED_AGAIN = /: [^:]+ wants to send (?:this request|it)(?: again)?, and it needs your approval/;

/** Into the thread of the card, once another company reads its channel. */
export const NOW_SHARED = /: This channel is now shared with another company, or about to be\./;

/** Into the notifications channel, about an event that matches no request. */
export const UNMATCHED = /The order service announced that (a request about )?order .+ No request .+ matches/;

/** Into the same channel, with how many more there were: after five in an hour, one message counts the others. */
export const MORE_UNMATCHED =
  /announced \*([\d,]+) more changes?\* of requests that Countermand does not know/;
export const POSTED_IN_AN_HOUR = 5;

/** Into the same channel, once an admin has paused sending, or resumed it. */
export const SENDING_PAUSED =
  /^:warning: \*<@\w+> paused sending .+ No request is sent to the order service until/;
export const SENDING_RESUMED = /^:white_check_mark: \*<@\w+> resumed sending/;

/** Into the same channel, once an admin has saved a policy or other settings. */
export const SETTINGS_CHANGED = /^:gear: \*<@\w+> changed the settings\* .+:\n• .+ → /s;

/** To the requester, by direct message, while Slack does not take the card, or does not say whether it did. */
export const CARD_DELAYED =
  /^Your request “.+” is delayed: Slack has not (taken it|confirmed yet whether it is posted)/;
export const DELAYED_AFTER_MS = 5_000;

/** To whoever declined by a reaction. */
export const REASON_WANTED = /^You declined “.+”\. You can add a reason/;

/** To the admin who set the policy, by direct message. */
export const ALARM = /^You chose the approvers of “/;
export const ALARMED_AFTER_MS = 30_000;

/** To an admin, by direct message. */
export const TOKEN_REFUSED = /The order service no longer accepts this workspace's API token/;
/** @param title of the kind that the policy is for */
export const policyUnmet = (title: string): RegExp =>
  new RegExp(
    `\\*${title}\\*: its approvers changed \\(.+\\), and too few were left to give \\d approvals?\\. If that is still so`,
  );

/** To whoever reacted to a copy of the message that counts, by direct message, or in the channel if they take none. */
export const MISPLACED_VOTE = /I posted the request “.+” twice by mistake, and your reaction is on the copy/;
