/** Decides what a person may do with each request of a list. */
import type { Policy } from '../model/approvals/policy.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Directory, Person, Settings } from '../ports/ports.ts';
import { isApprover } from './approvals/approvers.ts';
import { offeredActions, offersAgain, recordableActions, rolesFor } from './possible-actions.ts';
import { outsideOfGroup } from './requester.ts';

export const ROW_ACTIONS = ['record', 'retry', 'request_again'] as const;
export type RowAction = (typeof ROW_ACTIONS)[number];

export type Row = { record: RequestRecord; actions: readonly RowAction[] };

/** A person who reads a list. */
export type Reader = { workspace: string; person: Person; isAdmin: boolean; settings: Settings };

/**
 * The requests with what this person may do. Each right is checked again when they do it. Slack is asked once for each rule
 * that names approvers, and once for the group that may request.
 *
 * @throws if Slack can't be asked
 */
export async function rowsFor(
  directory: Directory,
  reader: Reader,
  records: readonly RequestRecord[],
): Promise<Row[]> {
  const { workspace, person, settings } = reader;
  const isOne = onceEach((policy: Policy) => isApprover(directory, workspace, policy, person.id));
  const mayRequest = onceEach(
    async () => !(await outsideOfGroup(directory, { workspace, requester: person.id, settings })),
  );
  const may: Record<RowAction, (record: RequestRecord) => Promise<boolean>> = {
    record: (record) => mayRecord(record, reader, (policy) => isOne(policy, rulesOf(policy))),
    retry: () => mayRequest(undefined, ''),
    request_again: () => mayRequest(undefined, ''),
  };
  return Promise.all(
    records.map(async (record) => {
      const actions = offered(record);
      const isTheirs = await Promise.all(actions.map((action) => may[action](record)));
      return { record, actions: actions.filter((_, i) => isTheirs[i]) };
    }),
  );
}

function offered(record: RequestRecord): RowAction[] {
  return [
    ...(recordableActions(record).length > 0 ? ['record' as const] : []),
    ...(offeredActions(record).includes('retry') ? ['retry' as const] : []),
    ...(offersAgain(record) ? ['request_again' as const] : []),
  ];
}

async function mayRecord(
  record: RequestRecord,
  { person, isAdmin }: Reader,
  isOne: (policy: Policy) => Promise<boolean>,
): Promise<boolean> {
  const roles = new Set(recordableActions(record).flatMap((action) => rolesFor(record, action)));
  if (isAdmin && roles.has('admins')) return true;
  if (person.id === record.requester && roles.has('requester')) return true;
  return record.approval !== undefined && roles.has('approvers') && isOne(record.approval.policy);
}

const rulesOf = ({ approvers, channel }: Policy): string => JSON.stringify([approvers, channel]);

/** Asks once for each name. */
function onceEach<T>(ask: (about: T) => Promise<boolean>): (about: T, name: string) => Promise<boolean> {
  const asked = new Map<string, Promise<boolean>>();
  return (about, name) => {
    const answer = asked.get(name) ?? ask(about);
    asked.set(name, answer);
    return answer;
  };
}
