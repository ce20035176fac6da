/** The lines of the log at error level that a play may lead to, and what has to be behind each of them. */
import { FAULTS, type Why } from '../spans.ts';

/** Thrown by the simulated storage, and by nothing else: a fault is behind it. */
export const FAULT_OF_STORAGE = 'StorageUnavailableError';

/** The line about copies of a message that the bot can't remove. */
export const COPY_REMAINS = /^duplicate messages may remain/;

/**
 * The lines with another error than FAULT_OF_STORAGE, which follows a colon, or with none. `after`: the reasons, one of which
 * has to explain the line. `isLasting`: however long ago it was; else within a quarter of an hour.
 */
export const LINES: readonly { line: RegExp; after: readonly Why[]; isLasting?: boolean }[] = [
  {
    line: /^Slack does not accept the bot token of this workspace/,
    after: ['uninstalled', 'token replaced'],
    isLasting: true,
  },
  {
    line: /^(Countermand seems to be uninstalled|Slack refuses the bot token, or the address)/,
    after: ['uninstalled'],
    isLasting: true,
  },
  // Three calls in a row, which may lie far apart.
  { line: /^Slack does not answer/, after: FAULTS, isLasting: true },
  {
    line: /^(event|count of events|pause|end of a pause|change of settings) not posted to the notifications channel/,
    after: ['uninstalled', 'moved', 'approvals archived'],
  },
  { line: /^installation not verified with Slack for a day/, after: ['uninstalled'], isLasting: true },
  { line: /^new Slack token not stored yet/, after: FAULTS },
  // The answer that had the new refresh token is lost: Slack takes the old one no more.
  { line: /^expiring Slack token not renewed/, after: [...FAULTS, 'uninstalled'], isLasting: true },
  { line: /^Slack does not renew the (bot )?token/, after: [...FAULTS, 'uninstalled'], isLasting: true },
  // Where Slack's pages are short, three of them name no admin, and nobody who has connected the workspace is known.
  { line: /^admin not notified: a person has met the limit/, after: ['disconnected'] },
  // The removal of a workspace's data, with its notices, may be held up for as long as processes are frozen.
  {
    line: /^admin not notified: (Slack does not renew the token|too few people can approve)/,
    after: ['uninstalled'],
    isLasting: true,
  },
  // Suspended: a reply in doubt that a later one follows (mayBeGivenUp of checks/owed/replies.ts).
  { line: /^reply not delivered$/, after: ['uninstalled', 'left', 'suspended'] },
  // Slack has refused the search or the removal for hours, perhaps under a card that somebody has deleted, or in a channel whose
  // move was never handled to its end.
  {
    line: COPY_REMAINS,
    after: ['uninstalled', 'archived', 'approvals archived', 'left', 'deleted', 'moved'],
    isLasting: true,
  },
];
