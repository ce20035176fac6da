/** "Withdraw" on a card: whoever asked does not want it any more. */

import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';
import { decideByButton } from './by-button.ts';

export const withdrawAction = (deps: ListenerDeps): Listener<ActionArgs> => decideByButton('withdraw', deps);
