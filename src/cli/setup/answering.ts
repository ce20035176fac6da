/** Answers Slack's challenge in place of the bot, which can't start before it is set up. */
import { SILENT } from '../../compose/adapters.ts';
import { type HttpRequest, json } from '../../http/route.ts';
import { createHttpServer } from '../../http/server.ts';
import { parseJson } from '../../json.ts';
import { isSignedBy } from '../../slack/transport/challenge.ts';

/** Far more than a challenge. */
const MAX_BYTES = 16 * 1024;

export type Answering = {
  /** Whether Slack's last challenge is signed with this secret; undefined: none has come yet. */
  isSlackSecret(signingSecret: string): boolean | undefined;
  close(): Promise<void>;
};

/**
 * Any challenge is answered: the secret is not known yet when Slack asks for the first time, and the answer tells nothing
 * that was not in the question.
 *
 * @param isOwn whether a challenge is one of our own, which says nothing about Slack
 * @throws if the port is taken
 */
export async function answerChallenges(
  listening: { port: number; host: string },
  isOwn: (challenge: string) => boolean,
): Promise<Answering> {
  let ofSlack: HttpRequest | undefined;
  const server = createHttpServer(
    [
      {
        method: 'POST',
        path: '/slack/events',
        maxBytes: MAX_BYTES,
        async handle(request) {
          const body = parseJson(request.body.toString('utf8'));
          const { type, challenge } = { ...(body as { type?: unknown; challenge?: unknown }) };
          if (type !== 'url_verification') return json(503, { error: 'not_set_up' });
          if (!isOwn(String(challenge))) ofSlack = request;
          return json(200, { challenge: String(challenge) });
        },
      },
    ],
    { ...listening, log: SILENT },
  );
  await server.start();
  return {
    isSlackSecret: (signingSecret) => ofSlack && isSignedBy(signingSecret, ofSlack),
    close: server.stop,
  };
}
