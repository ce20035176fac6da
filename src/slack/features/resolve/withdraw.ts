/** "Withdraw" on a card: whoever asked does not want it any more. */

import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';
import { resolveByButton } from './by-button.ts';

export const withdrawAction = (deps: ListenerDeps): Listener<ActionArgs> => resolveByButton('withdraw', deps);
