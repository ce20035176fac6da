/** Checks a quiescent play against the promises of docs/reliability.md that can be observed from outside. */
import type { Plan } from '../draw/plan.ts';
import type { World } from '../world/world.ts';
import { checkApprovals } from './approvals.ts';
import { checkHeldUp } from './held-up.ts';
import { checkMessages } from './messages.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkSecrets } from './secrets.ts';
import { checkUninstalled } from './uninstalled.ts';
import { checkWaiting } from './waiting.ts';

export function check(world: World, plan: Plan): void {
  for (const error of world.witness.errors) world.witness.violated(`error: ${error}`);
  checkMessages(world, plan);
  checkApprovals(world, plan);
  checkOutcomes(world);
  checkUninstalled(world);
  checkWaiting(world);
  checkSecrets(world);
  checkHeldUp(world, plan);
}
