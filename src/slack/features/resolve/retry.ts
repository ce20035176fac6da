/** "Retry" on a card: what the order service has refused is sent again. */

import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';
import { decideByButton } from './by-button.ts';

export const retryAction = (deps: ListenerDeps): Listener<ActionArgs> => decideByButton('retry', deps);
