/** Turns whatever a listener failed with into words for the person who waits, and a line in the log. */
import { reportFault } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import { faultSentence } from '../blocks/problems.ts';
import { failureOf, platformCode, type SlackFailure } from '../client/failure.ts';
import { knownRefusal, slowedDown, unknownRefusal } from '../messages/sentences/slack-refusals.ts';

/** A refusal of Slack that is understood is a plain sentence; everything else has a reference that is in the log. */
export function failureSentence(log: Log, error: unknown, context: object): string {
  const failure = failureOf(error);
  const code = platformCode(error);
  const understood = isSlowedDown(failure)
    ? slowedDown(failure.retryAfterMs)
    : code !== undefined && knownRefusal(code);
  if (understood) {
    log.warn({ ...context, slack: failure.code }, 'Slack call refused for a waiting person');
    return understood;
  }
  const reference = reportFault(log, error, context);
  const isRefusal = code !== undefined && failure.type !== 'doubtful';
  return isRefusal ? unknownRefusal(failure.code, reference) : faultSentence(reference);
}

function isSlowedDown(failure: SlackFailure): failure is Extract<SlackFailure, { type: 'later' }> {
  return failure.type === 'later' && failure.code === 'ratelimited';
}
