/** What an admin reads about the connection there is. Pure. */
import type { ConnectionFacts } from '../../workspaces/plan-connect.ts';
import { ago, mention, time } from './text.ts';

/** A line each; mrkdwn. */
export function factLines(facts: ConnectionFacts): string[] {
  const { refusedAt } = facts;
  return [
    `Connected ${facts.connectedBy === 'terminal' ? 'from the terminal' : `by ${mention(facts.connectedBy)}`}, ${time(facts.connectedAt)}.`,
    ...(refusedAt === undefined
      ? []
      : [
          `:warning: *The order service has not accepted its token since ${time(refusedAt)}: connect another one.*`,
        ]),
    `${lastAnswer(facts)} ${lastEvent(facts)}`,
    facts.secrets === 1
      ? 'One events secret is in force.'
      : `${facts.secrets} events secrets are in force: a former one works for a day.`,
  ];
}

const lastAnswer = ({ lastCall }: ConnectionFacts): string =>
  lastCall === undefined
    ? 'The order service has answered no call since then.'
    : `The order service last answered a call ${ago(lastCall)}.`;

const lastEvent = ({ lastEvent }: ConnectionFacts): string =>
  lastEvent === undefined ? 'No event has come from it.' : `Its last event came ${ago(lastEvent)}.`;
