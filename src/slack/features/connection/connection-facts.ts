/** What an admin reads about the connection there is. Pure. */
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
      ? 'One events secret is in force.'
      : `${facts.secrets} events secrets are in force: a former one works for a day.`,
  ];
}

const lastAnswer = ({ lastCall }: ConnectionFacts): string =>
  lastCall === undefined
    ? 'No call with its token has been answered since then.'
    : `Its token was last accepted by the order service ${ago(lastCall)}.`;

const lastEvent = ({ lastEvent }: ConnectionFacts): string =>
  lastEvent === undefined ? 'No event has come.' : `The last event came ${ago(lastEvent)}.`;
