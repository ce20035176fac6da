/** Models the pause that an admin sets: nothing of a workspace is sent to the order service until sending is resumed. */
import { z } from 'zod';

/**
 * `by`: the admin who paused sending. `at`: since when, epoch milliseconds. `moment`: of the click, microseconds by Slack's
 * clock, if Slack told.
 */
export const Pause = z.object({ by: z.string(), at: z.number(), moment: z.number().optional() });
export type Pause = z.infer<typeof Pause>;

/** The end of a pause. `by`, `at`, `moment`: who resumed sending, and when. `pause`: the one that ended. */
export const Resumption = Pause.extend({ pause: Pause });
export type Resumption = z.infer<typeof Resumption>;

type Clicked = { moment?: number | undefined };

/** Whether a click was made before the one that is in force, and was delayed on its way. */
export const isOutdatedBy = (click: Clicked, inForce: Clicked | undefined): boolean =>
  click.moment !== undefined && inForce?.moment !== undefined && click.moment <= inForce.moment;

export const isSamePause = (one: Pause | undefined, other: Pause | undefined): boolean =>
  one?.by === other?.by && one?.at === other?.at;
