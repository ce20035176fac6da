/** Helps an operator to create the Slack app: fills in the manifest for Slack's page, and answers Slack's challenge. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { createHttpServer, type HttpRequest, json } from '../http/server.ts';
import { parseJson } from '../json.ts';
import { SILENT } from '../outbox/ports.ts';
import { hasSignature, isSigned } from '../slack/transport/receiver.ts';

/** The address in manifest.yml, which is replaced by PUBLIC_URL. */
const EXAMPLE = 'https://countermand.example.com/';

/**
 * The page on which Slack creates an app with the manifest filled in
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests, "Sharing manifests").
 */
export function newAppPage(publicUrl: URL, socketMode: boolean): string {
  const { settings, ...rest } = parse(
    readFileSync(manifestPath(), 'utf8').replaceAll(EXAMPLE, publicUrl.href),
  );
  const manifest = JSON.stringify({ ...rest, settings: { ...settings, socket_mode_enabled: socketMode } });
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(manifest)}`;
}

/** Finds manifest.yml in a folder above this module: that of the project, or of the bundle. */
function manifestPath(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'manifest.yml');
    if (existsSync(path)) return path;
    if (folder === dirname(folder))
      throw new Error('The file manifest.yml is missing. Install Countermand again.');
  }
}

/** Far more than a challenge has. */
const MAX_BYTES = 16 * 1024;
/** Anybody can send challenges. */
const CHALLENGES_KEPT = 20;

export type Answering = {
  /** Whether a challenge that has come is signed with this secret; undefined: none with a signature has come yet. */
  isSlackSecret(signingSecret: string): boolean | undefined;
  close(): Promise<void>;
};

/**
 * Starts a server that answers every challenge: the secret is not known yet when Slack asks for the first time, and the answer
 * tells nothing that was not in the question.
 *
 * @throws if the port is taken
 */
export async function answerChallenges(listening: { port: number; host: string }): Promise<Answering> {
  let signed: HttpRequest[] = [];
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
          if (hasSignature(request)) signed = [...signed, request].slice(-CHALLENGES_KEPT);
          return json(200, { challenge: String(challenge) });
        },
      },
    ],
    { ...listening, log: SILENT },
  );
  await server.start();
  return {
    isSlackSecret: (secret) =>
      signed.length === 0 ? undefined : signed.some((each) => isSigned(each, secret)),
    close: server.stop,
  };
}
