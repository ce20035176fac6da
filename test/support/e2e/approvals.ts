/** Approvals for end-to-end tests: policies that are set without their form, the messages that are voted on, and votes. */
import { expect } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { DEFAULT_EMOJI, type Policy } from '../../../src/requests/model/policy.ts';
import { subjectOf } from '../../../src/requests/model/record.ts';
import { votedOn } from '../../../src/requests/model/record-messages.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { KINDS as NAMED } from './kinds.ts';

const HOUR = 3_600_000;

/** One of Cara and Dev approves, in the channel of the request; Olga has set it. */
export const POLICY: Policy = {
  approvers: { type: 'group', group: SEED.groups.approvers },
  shownIn: 'where_requested',
  quorum: 1,
  emoji: { ...DEFAULT_EMOJI },
  expiresAfterMs: 8 * HOUR,
  reminds: false,
  mayWithdraw: true,
  setBy: SEED.users.olga,
};

/** The reactions that are votes. */
export const { yes: YES, no: NO } = DEFAULT_EMOJI;

/** Approvers see the request in #approvals, with a link to its card. */
export const IN_APPROVALS: Partial<Policy> = {
  shownIn: 'approvals_channel',
  channel: SEED.channels.approvals,
};

/** The members of #approvals decide: Cara, Dev and Olga. */
export const BY_MEMBERS: Partial<Policy> = {
  approvers: { type: 'channel' },
  channel: SEED.channels.approvals,
};

/** The kinds of request, each with the command and the sentences about an order or offer that the service handles at once. */
export const KINDS = NAMED.map(({ operation, command, title, about, target, ...named }) => {
  const subject = `${about === 'order' ? 'Order' : 'Offer'} ${target}`;
  return {
    kind: operation,
    line: `${command} ${target} Ordered twice`,
    deed: `${named.deed} ${target}`,
    title,
    done: `${subject} ${named.done}`,
    undone: `${subject} ${named.undone}`,
    label: named.label,
  };
});

/** Sets a policy without the form, which offers no expiry below a quarter of an hour. */
export async function setPolicy(harness: Harness, policy: Partial<Policy> = {}, kind: Kind = 'cancel_order') {
  const { settings } = await harness.terminal();
  const { policies } = await settings.read(SEED.team);
  await settings.change(SEED.team, { policies: { ...policies, [kind]: { ...POLICY, ...policy } } });
}

/** Starts a bot that needs approval to cancel an order. */
export async function startApprovals(policy: Partial<Policy> = {}, options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  await setPolicy(harness, policy);
  return { ...harness, ...(await approvers(harness)) };
}

export type Approvals = Awaited<ReturnType<typeof startApprovals>>;

/** Starts a bot with a request by Ana for order A-1001, which needs approval. `message`: the one that is voted on. */
export async function startAwaitingApproval(policy: Partial<Policy> = {}, options: HarnessOptions = {}) {
  const harness = await startApprovals(policy, options);
  await harness.cancelOrder('A-1001');
  return { ...harness, message: await harness.votedOn('A-1001') };
}

async function approvers(harness: Harness) {
  const { slack, service } = harness;
  const { storage } = await harness.terminal();
  const record = (order: string) => recordOf(storage, order);
  return {
    cara: slack.person('cara'),
    dev: slack.person('dev'),
    record,
    /** The message that is voted on, once the record has its location: no person votes before that. */
    async votedOn(order: string): Promise<Message> {
      const place = async () => votedOn(await record(order)).location;
      await expect.poll(place, { interval: 2 }).toBeDefined();
      const { channel = '', ts } = (await place()) ?? {};
      return slack.waitForMessage((message) => message.channel === channel && message.ts === ts);
    },
    /** Resolves once a message reads like this, its thread left out. */
    reads: (message: Message, text: string | RegExp) => reads(harness, message, text),
    /** The number of calls to cancel an order. */
    calls: () => service.calls({ operation: 'cancel_order' }).length,
    /** The votes in the history of a request, the oldest first. */
    async voteHistory(order: string) {
      const { approval } = await record(order);
      return approval?.history.map(({ type, by, problem }) =>
        [type, by, ...(problem ? [problem] : [])].join(' '),
      );
    },
  };
}

/** The newest request for an order, as it is stored. */
export async function recordOf(
  { requests }: { requests: Pick<RequestStore, 'listBySubject'> },
  order: string,
  workspace: string = SEED.team,
) {
  const { records } = await requests.listBySubject(workspace, subjectOf('cancel_order', order), 1);
  const [found] = records;
  if (!found) throw new Error(`there is no request for ${order}`);
  return found;
}

/** A message as a person reads it, with its thread. */
export const read = ({ slack }: Pick<Harness, 'slack'>, { channel, ts }: Message): string =>
  slack.renderThread(channel, ts);

function reads({ slack }: Harness, { channel, ts }: Message, text: string | RegExp): Promise<Message> {
  return slack.waitForMessage((message) => {
    if (message.channel !== channel || message.ts !== ts) return false;
    const [shown = ''] = slack.renderThread(channel, ts).split(/\n {2}(?=Countermand: )/);
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  });
}

/** The labels of a message's buttons. */
export function buttonsOf({ blocks = [] }: Message): string[] {
  const elements = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  return elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []));
}

/** Types a whole command, and submits its form. */
export async function submitCommand(harness: Harness, line: string, who = harness.ana) {
  await who.command(line, { channel: '#support' });
  await who.waitForModal();
  return who.submit();
}
