/** Checks a quiescent play against the promises of docs/reliability.md that can be observed from outside. */
import type { Plan } from '../draw/plan.ts';
import type { World } from '../world/world.ts';
import { checkApprovals } from './approvals.ts';
import { checkConfirmed } from './confirmed.ts';
import { checkDecisions } from './decisions.ts';
import { checkErrors } from './errors.ts';
import { checkHeldUp } from './held-up.ts';
import { checkMessages } from './messages.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkAudit } from './owed/audit.ts';
import { checkEarlierCalls } from './owed/earlier-calls.ts';
import { checkEvents } from './owed/events.ts';
import { checkGivenUp } from './owed/given-up.ts';
import { checkNotices } from './owed/notices.ts';
import { checkRefusedUpdates } from './owed/refused-updates.ts';
import { checkRepetitions } from './owed/repetitions.ts';
import { checkReplies } from './owed/replies.ts';
import { checkSubmissions } from './owed/submissions.ts';
import { checkTimes } from './owed/times.ts';
import { checkTold } from './owed/told.ts';
import { checkUnmet } from './owed/unmet.ts';
import { checkSecrets } from './private/secrets.ts';
import { checkShared } from './private/shared.ts';
import { checkUninstalled } from './private/uninstalled.ts';
import { checkChanges } from './settings/changes.ts';
import { checkLimits } from './settings/limits.ts';
import { checkPaused } from './settings/paused.ts';
import { checkWaiting } from './waiting.ts';
import { checkWhoMay } from './who-may.ts';

const CHECKS: readonly ((world: World) => void)[] = [
  checkErrors,
  checkMessages,
  checkSubmissions,
  checkRepetitions,
  checkRefusedUpdates,
  checkReplies,
  checkEarlierCalls,
  checkNotices,
  checkEvents,
  checkTold,
  checkUnmet,
  checkGivenUp,
  checkTimes,
  checkDecisions,
  checkPaused,
  checkLimits,
  checkChanges,
  checkConfirmed,
  checkWhoMay,
  checkApprovals,
  checkOutcomes,
  checkAudit,
  checkUninstalled,
  checkWaiting,
  checkSecrets,
  checkShared,
];

export function check(world: World, plan: Plan): void {
  for (const each of CHECKS) each(world);
  checkHeldUp(world, plan);
}
