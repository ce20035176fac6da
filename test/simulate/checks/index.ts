/** Looks at a play once it has come to rest: every promise of docs/reliability.md that shows from outside. */
import type { Plan } from '../draw/plan.ts';
import type { World } from '../replica.ts';
import { checkApprovals } from './approvals.ts';
import { checkHeldUp } from './held-up.ts';
import { checkMessages } from './messages.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkSecrets } from './secrets.ts';
import { checkUninstalled } from './uninstalled.ts';
import { checkWaiting } from './waiting.ts';

export function check(world: World, plan: Plan): void {
  for (const fault of world.witness.faults) world.witness.violated(`fault: ${fault}`);
  checkMessages(world, plan);
  checkApprovals(world, plan);
  checkOutcomes(world);
  checkUninstalled(world);
  checkWaiting(world);
  checkSecrets(world);
  checkHeldUp(world, plan);
}
