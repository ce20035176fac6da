/** "Retry" on a card: what the order service has refused is sent again. */
import { decideByButton } from '../deciding.ts';
import type { ActionArgs, Listener, ListenerDeps } from '../listener.ts';

export const retryAction = (deps: ListenerDeps): Listener<ActionArgs> => decideByButton('retry', deps);
