/** Reads from Slack what confirms votes: the reactions that stand on a message, and the rights of whoever voted. */
import type { webApi } from '@slack/bolt';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { needsReactions } from '../../requests/engine/confirm-votes.ts';
import type { Approval } from '../../requests/model/approvals/approval.ts';
import type { VoterProblem } from '../../requests/model/approvals/policy.ts';
import { fieldsOf, type RequestRecord } from '../../requests/model/record.ts';
import { approvalMessageOf, votedOn } from '../../requests/model/record-messages.ts';
import type { Messenger } from '../../requests/ports/messenger.ts';
import type { PeopleDirectory } from '../../requests/ports/ports.ts';
import { problemOfOthers } from '../../requests/use-cases/approvals/approval-needed.ts';
import { voterProblem } from '../../requests/use-cases/approvals/voters.ts';
import type { SlackEffect } from '../client/clients.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import {
  callerOf,
  callSlack,
  MESSAGE_GONE,
  MESSAGE_OUT_OF_REACH,
  namedProblem,
  type SlackCalls,
} from './call-slack.ts';
import type { Location } from './deliver.ts';

/** The confirmation of votes as the rate limits see it, before it is claimed. */
export function limitedConfirmation({ id, workspace, approval }: RequestRecord): LimitedEffect {
  const method = needsReactions(approval) ? 'reactions.get' : 'users.info';
  return { workspace, who: callerOf(id, 'confirm_votes'), main: { method, channel: '' }, yields: false };
}

/** The claimed confirmation of votes. */
const confirmationEffect = (record: RequestRecord, guard: ClaimGuard): SlackEffect => ({
  ...limitedConfirmation(record),
  about: { ...fieldsOf(record), effect: 'confirm_votes' },
  guard,
});

export function createVoteReading(
  deps: SlackCalls,
  directory: SlackDirectory,
): Pick<Messenger, 'readReactions' | 'readVoterRights' | 'readOtherApprovers'> {
  return {
    async readReactions(record, guard) {
      const { location } = votedOn(record);
      if (!location) return { type: 'gone', code: MESSAGE_GONE };
      const read = await callSlack(deps, confirmationEffect(record, guard), (client) =>
        readReactions(client, location),
      );
      if (read.type === 'read') return read;
      const isGone = read.type === 'refused' && MESSAGE_OUT_OF_REACH.has(read.code);
      if (!isGone) return { ...read, type: 'later' };
      return { type: 'gone', code: approvalMessageOf(record) ? namedProblem(read).code : read.code };
    },
    async readVoterRights(record, voters, guard) {
      const { approval } = record;
      if (!approval) return { type: 'read', problems: new Map() };
      const read = await callSlack(deps, confirmationEffect(record, guard), async (client) => {
        const problems = await readProblems(directory.readNow(client), record, approval, voters);
        return { type: 'read' as const, problems };
      });
      return read.type === 'read' ? read : { ...read, type: 'later' };
    },
    async readOtherApprovers(record, guard) {
      const { approval } = record;
      if (!approval) return { type: 'read' };
      const read = await callSlack(deps, confirmationEffect(record, guard), async (client) => {
        const problem = await problemOfOthers(directory.readNow(client), record, approval.policy);
        return { type: 'read' as const, problem };
      });
      return read.type === 'read' ? read : { ...read, type: 'later' };
    },
  };
}

async function readProblems(
  directory: PeopleDirectory,
  record: RequestRecord,
  approval: Approval,
  voters: readonly string[],
): Promise<ReadonlyMap<string, VoterProblem>> {
  const found = voters.map(async (voter) => {
    const problem = await voterProblem(directory, record, approval, voter);
    return problem ? ([[voter, problem]] as const) : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Reads all reactions. Slack shortens lists without `full` (https://docs.slack.dev/reference/methods/reactions.get). */
async function readReactions(client: webApi.WebClient, { channel, ts }: Location) {
  const { message } = await client.reactions.get({ channel, timestamp: ts, full: true });
  const standing = (message?.reactions ?? []).map(({ name = '', users = [] }) => ({ emoji: name, users }));
  return { type: 'read' as const, standing };
}
