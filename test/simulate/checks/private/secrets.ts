/** Checks promise 7: no token or secret is in clear in storage, messages or the log. */
import { TEAMS } from '../../teams.ts';
import type { World } from '../../world/world.ts';

/** The name of a team is part of it: in some 100,000 plays the random letters of a sealed value happen once to read "xoxb-". */
const SECRET = new RegExp(`(token-of|xoxb)-(${TEAMS.join('|')})`);

export function checkSecrets(world: World): void {
  const { stored, witness, logLines, subscriptions, slack } = world;
  const ofEvents = [...subscriptions.values()].map(({ secret }) => secret);
  const ofSlack = TEAMS.flatMap((team) => {
    const { accessTokens, refreshTokens } = slack.of[team].world;
    return [...accessTokens.keys(), ...refreshTokens.keys()];
  });
  const secrets = [...ofEvents, ...ofSlack].filter((secret) => secret !== '');
  const isLeak = (text: string) => SECRET.test(text) || secrets.some((secret) => text.includes(secret));
  for (const [key, value] of stored.cells) if (isLeak(value)) witness.violated(`secret: in clear in ${key}`);
  for (const [type, records] of Object.entries(stored.byType))
    for (const { record } of records.entries())
      if (isLeak(JSON.stringify(record))) witness.violated(`secret: in clear in a record of ${type}`);
  if (textsIn(world).some(isLeak)) witness.violated('secret: in a message');
  const leak = logLines.map((line) => line()).find(isLeak);
  if (leak) witness.violated(`secret: in the log: ${leak.slice(0, 200)}`);
}

/** All that a message holds: people read its text and blocks, and apps its metadata. */
const textsIn = ({ slack }: World): string[] =>
  TEAMS.flatMap((team) =>
    [...slack.of[team].world.channels.values()].flatMap(({ messages }) =>
      [...messages.values()].map(({ text, blocks, metadata }) => JSON.stringify([text, blocks, metadata])),
    ),
  );
