/** Texts for an admin about the present connection. */
import type { ConnectionFacts } from '../../../workspaces/connection/plan-connect.ts';
import { ago, mention, time } from '../../blocks/text.ts';

/** A line each; mrkdwn. */
export function factLines(facts: ConnectionFacts): string[] {
  const { refusedAt } = facts;
  return [
    `Connected ${facts.connectedBy === 'terminal' ? 'from the terminal' : `by ${mention(facts.connectedBy)}`}, ${time(facts.connectedAt)}.`,
    ...(refusedAt === undefined
      ? []
      : [
          `:warning: *The order service has not accepted this token since ${time(refusedAt)}: connect another one.*`,
        ]),
    `${lastAnswer(facts)} ${lastEvent(facts)}`,
    facts.secrets === 1
      ? 'One events secret is valid.'
      : `${facts.secrets} events secrets are valid: a former one works for a day.`,
  ];
}

const lastAnswer = ({ lastCall }: ConnectionFacts): string =>
  lastCall === undefined
    ? 'No call with this token has been answered since then.'
    : `The order service last accepted this token ${ago(lastCall)}.`;

const lastEvent = ({ lastEvent }: ConnectionFacts): string =>
  lastEvent === undefined ? 'No event has arrived.' : `The last event arrived ${ago(lastEvent)}.`;
