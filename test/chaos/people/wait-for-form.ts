import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { ModalSeen } from '../../../sandbox/slack/people/seen.ts';

/** As long as Slack permits a form to be opened (a trigger lives for 3 s): no late form can cover the next one. */
const FORM_MS = 3_200;

/** Waits for a form whose callback begins like this. @returns undefined if none opens in time */
export const waitForForm = (who: Person, callback: string): Promise<ModalSeen | undefined> =>
  who
    .waitForModal(({ callback_id }) => callback_id.startsWith(callback), { timeoutMs: FORM_MS })
    .catch(() => undefined);
