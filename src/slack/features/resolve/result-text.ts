/** Texts for a person whose action on a request changed nothing. */
import { currentStep, type LateAction, type RequestRecord } from '../../../requests/model/record.ts';
import type { ManualResult } from '../../../requests/use-cases/resolve-manually.ts';
import type { Role, RoleAction } from '../../../requests/use-cases/who-may.ts';
import { ONCE_RESUMED, overLimitText, personSentence, whoPaused } from '../../blocks/problems.ts';
import { listed } from '../../blocks/text.ts';
import { approversText } from '../../messages/sentences/approval-texts.ts';
import { NOT_DONE } from '../../messages/sentences/call-texts.ts';
import { sentence } from '../../messages/sentences/sentences.ts';
import { whyNotNow } from '../../messages/sentences/state-copy.ts';
import { newerRequestText, retrySlotTakenText } from '../conflict-text.ts';

/** @param link to the card of the request that is in the way */
export function manualResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  link: string | undefined,
): string {
  switch (result.type) {
    case 'not_found':
      return 'I cannot find this request. Nothing was changed.';
    case 'not_allowed':
      return personSentence(result.problem, 'Nothing was changed.');
    case 'not_theirs':
      return notTheirsText(result.record, result.action, result.may);
    case 'too_late':
      return tooLateText(result.record, result.late);
    case 'slot_taken':
      return retrySlotTakenText(result.by, link);
    case 'newer_request':
      return newerRequestText(result.by, link);
    case 'too_few_approvers':
      return 'There are not enough approvers besides the requester and you, so the request was not sent again. Ask an admin to change the approvers with /countermand settings.';
    case 'paused':
      return `*${NOT_DONE[result.action]}*, because ${whoPaused(result.pause)}. Try again ${ONCE_RESUMED}.`;
    case 'over_limit':
      return overLimitText(result.usage, 'this one was not sent again');
    case 'settings_changed':
      return 'An admin changed the settings while this was being checked, so nothing was sent again. Try again.';
  }
}

const DEED: Partial<Record<RoleAction, string>> = {
  withdraw: 'withdraw this request',
  release: 'close this request without an outcome',
};

/** "the requester, the approvers (Ana and Ben) and admins". A request without a policy has no approvers. */
export function whoText({ approval }: RequestRecord, may: readonly Role[]): string {
  const names: Record<Role, string | undefined> = {
    requester: 'the requester',
    approvers: approval && `the approvers (${approversText(approval.policy)})`,
    admins: 'admins',
  };
  return listed(may.flatMap((role) => names[role] ?? []));
}

/** Names everybody who may do this. */
export function notTheirsText(record: RequestRecord, action: RoleAction, may: readonly Role[]): string {
  return `Only ${whoText(record, may)} can ${DEED[action] ?? 'record the outcome of this request'}. Nothing was changed.`;
}

export function tooLateText(record: RequestRecord, { action, state }: LateAction): string {
  const help =
    action === 'withdraw' && state === 'calling'
      ? ' If the card says that the request waits, press Withdraw again.'
      : '';
  return `*${NOT_DONE[action]}*, because ${whyNotNow({ kind: record.kind, state })}. ${sentence(record, currentStep(record))}${help}`;
}

export const nothingToRecordText = (record: RequestRecord): string =>
  tooLateText(record, { at: 0, by: '', action: 'approved', state: record.state });
