import { z } from 'zod';

/** A vote for a request, or against it. */
export const Choice = z.enum(['yes', 'no']);
export type Choice = z.infer<typeof Choice>;
