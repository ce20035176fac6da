/** The people at the desk: agents who ask, each with a second one who may ask for the same, and two approvers. */

import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { Slack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';

export type People = {
  /** As many pairs as there may be requests in flight. */
  pairs: { agent: Person; rival: Person }[];
  cara: Person;
  dev: Person;
  /** Ids. */
  channels: string[];
};

/** So many that no channel gets more messages in some minutes than the bot looks through for one of its own. */
export const CHANNELS = 10;

export function gather(slack: Slack, inFlight: number): People {
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
    return slack.admin.addChannel({ team_id, name: `desk-${i}`, members }).id;
  });
  return { pairs, cara: slack.person(cara), dev: slack.person(dev), channels };
}

/** Olga decides that cancelling an offer needs one of the approvers, shown in their channel or where it was asked. */
export async function needApproval(
  { slack }: { slack: Slack },
  shown_in: 'approvals_channel' | 'where_asked',
) {
  const olga = slack.person('olga');
  const patient = { timeoutMs: 20_000 };
  await olga.command('/countermand settings', { channel: '#support' });
  const before = await olga.waitForModal(
    ({ title, view }) => title === 'Settings' && JSON.stringify(view).includes('Change the approval for'),
    patient,
  );
  await olga.click('Change the approval for: Cancel an offer');
  await olga.waitForModal(({ callback_id }) => callback_id === 'policy', patient);
  await olga.search('approver_group', 'approvers');
  await olga.submit({
    approvers: 'group',
    approver_group: 'Approvers (@approvers)',
    shown_in,
    quorum: '1',
    ...(shown_in === 'approvals_channel' ? { approvals_channel: SEED.channels.approvals } : {}),
  });
  await olga.waitForModal(({ view }) => JSON.stringify(view).includes('Saved.'), patient);
  await olga.closeModal();
  await olga.waitForModal(
    ({ callback_id, view }) => callback_id === 'settings' && view.hash !== before.view.hash,
    patient,
  );
  await olga.closeModal({ all: true });
}
