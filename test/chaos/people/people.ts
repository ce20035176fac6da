/** The people of a run: agents, each with a rival who may request the same, and two approvers. */
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { Slack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { KIND_COPY } from '../../../src/slack/messages/sentences/request-words.ts';
import { QUORUM } from '../stories.ts';

export type People = {
  /** As many pairs as there may be requests in flight. */
  pairs: { agent: Person; rival: Person }[];
  cara: Person;
  dev: Person;
  /** Ids. */
  channels: string[];
};

/** So many that the bot finds its own message among those that a channel gets within some minutes. */
export const CHANNELS = 10;

export function createPeople(slack: Slack, inFlight: number): People {
  const team_id = SEED.team;
  const person = (name: string) => slack.person(slack.admin.addUser({ team_id, name }).id);
  const pairs = Array.from({ length: inFlight }, (_, i) => ({
    agent: person(`agent-${i}`),
    rival: person(`rival-${i}`),
  }));
  const staff = pairs.flatMap(({ agent, rival }) => [agent.id, rival.id]);
  const { cara, dev } = SEED.users;
  const members = [...staff, cara, dev, slack.installation().bot_user_id];
  const channels = Array.from({ length: CHANNELS }, (_, i) => {
    return slack.admin.addChannel({ team_id, name: `harness-${i}`, members }).id;
  });
  return { pairs, cara: slack.person(cara), dev: slack.person(dev), channels };
}

type ShownIn = 'approvals_channel' | 'where_requested';

/** Olga sets how many approvers must agree, and where they see the approval message. */
export async function requireApproval({ slack }: { slack: Slack }, shown_in: ShownIn): Promise<void> {
  for (const [kind, quorum] of Object.entries(QUORUM) as [Kind, number][])
    await setPolicy(slack.person('olga'), kind, { quorum: `${quorum}`, shown_in });
}

const WAIT = { timeoutMs: 20_000 };

async function setPolicy(
  olga: Person,
  kind: Kind,
  { quorum, shown_in }: { quorum: string; shown_in: ShownIn },
): Promise<void> {
  await olga.command('/countermand settings', { channel: '#support' });
  const before = await olga.waitForModal(
    ({ title, view }) => title === 'Settings' && JSON.stringify(view).includes('Change the approval for'),
    WAIT,
  );
  await olga.click(`Change the approval for: ${KIND_COPY[kind].title}`);
  await olga.waitForModal({ callback: 'policy' }, WAIT);
  await fillPolicy(olga, {
    approvers: 'group',
    approver_group: 'Approvers (@approvers)',
    shown_in,
    quorum,
    ...(shown_in === 'approvals_channel' ? { approvals_channel: SEED.channels.approvals } : {}),
  });
  await olga.submit();
  await olga.waitForModal({ text: 'Saved.' }, WAIT);
  await olga.closeModal();
  await olga.waitForModal(
    ({ callback_id, view }) => callback_id === 'settings' && view.hash !== before.view.hash,
    WAIT,
  );
  await olga.closeModal({ all: true });
}
