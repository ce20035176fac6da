/** Finds the buttons of a message, as people see it now. */
import type { Message } from '../../../sandbox/slack/world/types.ts';

/** The workspace, with which the value of each button begins. */
const STAMP = /^@\S+ /;

/** @returns the request and the step that the button is about; undefined if there is none */
export function buttonOn(message: Message | undefined, action: string): string | undefined {
  for (const block of (message?.blocks ?? []) as { elements?: { action_id?: string; value?: string }[] }[]) {
    const found = block.elements?.find(({ action_id }) => action_id === action);
    if (found) return found.value?.replace(STAMP, '');
  }
  return undefined;
}
