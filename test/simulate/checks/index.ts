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
import { checkNotices } from './owed/notices.ts';
import { checkReplies } from './owed/replies.ts';
import { checkSubmissions } from './owed/submissions.ts';
import { checkSecrets } from './private/secrets.ts';
import { checkShared } from './private/shared.ts';
import { checkUninstalled } from './private/uninstalled.ts';
import { checkWaiting } from './waiting.ts';

export function check(world: World, plan: Plan): void {
  checkErrors(world, plan);
  checkMessages(world, plan);
  checkSubmissions(world, plan);
  checkReplies(world, plan);
  checkNotices(world, plan);
  checkDecisions(world, plan);
  checkConfirmed(world, plan);
  checkApprovals(world, plan);
  checkOutcomes(world);
  checkUninstalled(world);
  checkWaiting(world);
  checkSecrets(world);
  checkShared(world, plan);
  checkHeldUp(world, plan);
}
