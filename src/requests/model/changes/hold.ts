/** Notes in an unsent request that sending is paused: its call and the confirmation of its votes wait. */
import { isSamePause, type Pause } from '../pause.ts';
import type { RequestRecord } from '../record.ts';
import { STATES } from '../states.ts';

/**
 * @param pause as the settings have it; undefined: sending is not paused
 * @returns the same record if it says so already, or if nothing of it waits to be sent
 */
export function withPause(record: RequestRecord, pause: Pause | undefined, now: number): RequestRecord {
  if (!STATES[record.state].beforeCall || isSamePause(record.paused, pause)) return record;
  const { paused: _before, ...rest } = record;
  const seen = { ...rest, revision: rest.revision + 1 };
  return pause ? { ...seen, paused: pause } : withConfirmationFrom(seen, now);
}

/** The votes could not be confirmed during the pause: that is no fault, of which an admin would have to be told. */
function withConfirmationFrom(record: RequestRecord, now: number): RequestRecord {
  const { approval } = record;
  if (!approval?.confirmation) return record;
  return {
    ...record,
    approval: { ...approval, confirmation: { ...approval.confirmation, since: now, notBefore: now } },
  };
}
