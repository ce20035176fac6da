/** Runs all checks of the promises in docs/reliability.md over what was seen. */
import { checkAnswers } from './answers.ts';
import { checkApprovals } from './approvals.ts';
import { checkCalls } from './calls.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkPlaces } from './places.ts';
import { checkPosts } from './posts.ts';
import type { Seen, Violation } from './seen.ts';

const CHECKS = [checkCalls, checkApprovals, checkPosts, checkOutcomes, checkPlaces, checkAnswers];

export const check = (seen: Seen): Violation[] => CHECKS.flatMap((each) => each(seen));
