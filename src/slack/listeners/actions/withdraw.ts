/** "Withdraw" on a card: whoever asked does not want it any more. */
import { decideByButton } from '../deciding.ts';
import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';

export const withdrawAction = (deps: ListenerDeps): Listener<ActionArgs> => decideByButton('withdraw', deps);
