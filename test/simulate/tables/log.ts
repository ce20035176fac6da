/** The lines of the log at error level that a play may lead to, and what has to be behind each of them. */
import type { Act } from '../draw/plan.ts';

/** Thrown by the simulated storage, and by nothing else: a fault is behind it. */
export const FAULT_OF_STORAGE = 'StorageUnavailableError';

/** Lines with another error, after a colon, or with none. `after`: a fault, or one of these acts, has to be in the play. */
export const LINES: readonly { line: RegExp; after: 'a fault' | readonly Act['type'][] }[] = [
  { line: /^Slack does not accept the bot token of this workspace/, after: ['uninstall'] },
  // The lock of a process that has crashed, that is frozen, or whose commands are late.
  { line: /: Somebody else holds the lock ".+"\.$/, after: 'a fault' },
  { line: /: The lock ".+" was held for too long\.$/, after: 'a fault' },
  { line: /^event not posted to the notifications channel/, after: ['uninstall'] },
  { line: /^installation not verified with Slack for a day/, after: ['uninstall'] },
  { line: /^reply not delivered$/, after: ['uninstall', 'deactivate'] },
  { line: /^duplicate messages may remain/, after: ['uninstall', 'archive', 'deactivate'] },
];
