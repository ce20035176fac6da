/** Checks promises 4 and 11: approvers are asked and reminded, admins are told, and no event is lost that matches no request. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import type { Act, Plan, PlannedPolicy } from '../../draw/plan.ts';
import { APPROVERS, policiesOf } from '../../tables/approvals.ts';
import { POLICY_UNMET, REMINDED_AFTER, REMINDER, TOKEN_REFUSED, UNMATCHED } from '../../tables/notices.ts';
import { KINDS } from '../../tables/requests.ts';
import { idOf, orderOf, TEAMS, type Team, UNREQUESTED_ITEM } from '../../teams.ts';
import type { World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';

const MINUTE_MS = 60_000;
/** After what owes a message, or after the end of the faults: Slack may ask for a wait of seven minutes, several times. */
const TOLD_WITHIN_MS = 20 * MINUTE_MS;
const EXPIRES_AFTER_MS = 60 * MINUTE_MS;

export function checkNotices(world: World, plan: Plan): void {
  const standing = messagesOfBot(world);
  for (const team of TEAMS) {
    if (isTouched(plan, team, ['uninstall', 'install'])) continue;
    checkUnmatched(world, team, standing);
    checkToken(world, plan, team, standing);
    checkApprovers(world, plan, team, standing);
    const [policy, ...others] = policiesOf(plan, team);
    if (!policy || others.length > 0 || isTouched(plan, team, ['archive', 'share', 'delete_card'])) continue;
    for (const { record } of world.stored.requests.entries())
      if (record.workspace === idOf('T', team)) checkAsked(world, record, policy, standing);
  }
}

const isTouched = ({ acts }: Plan, team: Team, types: readonly Act['type'][]): boolean =>
  acts.some((act) => types.includes(act.type) && !('team' in act && act.team !== team));

/** Checks that whoever approves has been asked, and reminded. */
function checkAsked(
  world: World,
  record: RequestRecord,
  { shownIn, expiresAfterMs = EXPIRES_AFTER_MS }: PlannedPolicy,
  standing: readonly Message[],
): void {
  const { witness, recoveredAt = 0, scheduler } = world;
  const [first, next] = record.steps;
  if (first?.state !== 'awaiting_approval') return;
  const until = next?.at ?? scheduler.now();
  const isOwed = (since: number) => until - Math.max(since, recoveredAt) > TOLD_WITHIN_MS;
  const places = witness.votedOn.get(record.id) ?? new Set();
  const inApprovals = [...places].filter((place) => place.split(' ')[0] !== record.channel);
  if (shownIn === 'approvals_channel' && isOwed(first.at) && inApprovals.length === 0)
    witness.violated(`notice: the approvers of ${record.target} were never asked`);
  const isReminder = ({ channel, thread_ts, text }: Message) =>
    places.has(`${channel} ${thread_ts}`) && REMINDER.test(text);
  if (isOwed(first.at + expiresAfterMs * REMINDED_AFTER) && !standing.some(isReminder))
    witness.violated(`notice: the approvers of ${record.target} were never reminded`);
}

/** Checks that an event about an order that nobody has requested anything about is kept, and posted. */
function checkUnmatched(world: World, team: Team, standing: readonly Message[]): void {
  const { stored, witness, serviceEvents } = world;
  const order = orderOf(team, UNREQUESTED_ITEM);
  if (!serviceEvents.some((event) => event.order === order && event.isAcknowledged)) return;
  const isKept = [...stored.workspaceNotifications.entries()].some(
    ({ record }) => record.type === 'event' && record.event.target === order,
  );
  if (!isKept) witness.violated(`notice: an event about ${order} was acknowledged, and is not kept`);
  const told = standing.filter(({ text }) => UNMATCHED.test(text) && text.includes(order));
  if (!told.some(({ channel }) => channel === idOf('C', team, 'approvals')))
    witness.violated(`notice: an event about ${order} was never posted`);
}

/** The time in which a process writes down that the token is refused. */
const WRITTEN_WITHIN_MS = 15 * MINUTE_MS;

/** Checks that an admin is told of a token that the service has refused. */
function checkToken(world: World, plan: Plan, team: Team, standing: readonly Message[]): void {
  if (isTouched(plan, team, ['reconnect', 'disconnect'])) return;
  const isRefused = world.witness.calls.some(
    ({ operation, token, answer }) =>
      operation in KINDS &&
      token.includes(team) &&
      answer?.status === 401 &&
      answer.by.endedAt() > answer.at + WRITTEN_WITHIN_MS,
  );
  if (isRefused && !isAdminTold(world, team, standing, TOKEN_REFUSED))
    world.witness.violated(`notice: no admin of ${team} was told that its token is refused`);
}

/** Checks that the admin who set a policy is told that too few approvers are left for any request. */
function checkApprovers(world: World, plan: Plan, team: Team, standing: readonly Message[]): void {
  const [policy, ...others] = policiesOf(plan, team);
  const left = plan.acts.flatMap((act) => (act.type === 'leave_group' && act.team === team ? [act.who] : []));
  const stay = APPROVERS.filter((name) => !left.includes(name));
  if (!policy || others.length > 0 || left.length === 0 || stay.length >= policy.quorum) return;
  const last = world.reports.findLast(
    ({ type, workspace }) => type === 'group' && workspace === idOf('T', team),
  );
  if (last?.isAcknowledged && !isAdminTold(world, team, standing, POLICY_UNMET))
    world.witness.violated(`notice: no admin of ${team} was told that its policy cannot be met`);
}

function isAdminTold({ slack }: World, team: Team, standing: readonly Message[], what: RegExp): boolean {
  const olga = idOf('U', team, 'olga');
  return standing.some(({ channel: id, text }) => {
    const channel = slack.world.channels.get(id);
    return channel?.kind === 'im' && channel.members.has(olga) && what.test(text);
  });
}
