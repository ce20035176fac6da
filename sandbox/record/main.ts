/**
 * `npm run record`: runs the bot in a real workspace, and keeps their traffic without anything that identifies the
 * workspace. The steps of docs/acceptance.md show what Slack's pages leave open: whether a bot token may read a thread in a
 * channel (step 4), the names of skin tones (6, 9), the order of reactions and uninstalling (8, 16), whether a direct message
 * needs the messages tab (2, 12), the events when the app is taken out of a channel (13, 14), whether every 429 has a
 * `Retry-After` (15), and whether an app gets message_metadata_posted
 * (https://docs.slack.dev/reference/events/message_metadata_posted) for its own messages.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS } from '../../src/config-fields.ts';
import { readArguments, refuseArguments } from '../lib/arguments.ts';
import { startBot, stopOnSignals } from '../lib/bot-process.ts';
import { freePort } from '../lib/http/free-port.ts';
import { createJournal } from '../lib/http/journal.ts';
import { type OrderService, startOrderService } from '../order-service/start.ts';
import { SEED_TOKENS } from '../order-service/world/seed.ts';
import { losesFirstPosts, startRecorder } from './recorder.ts';
import { createRecording, type Recording } from './recording.ts';
import { createRedaction, type Redaction } from './redact.ts';

const USAGE = 'npm run record -- --out <a new folder> [--lose-answers]';
const USUAL_PORT = 3000;
const SLACK = 'https://slack.com/api/';

const print = (line: string) => process.stdout.write(`${line}\n`);

const refuse = (problem: string): never => refuseArguments(USAGE, problem);

function readArgs(): { out: string; isLosing: boolean } {
  const { values } = readArguments(USAGE, {
    options: { out: { type: 'string' }, 'lose-answers': { type: 'boolean', default: false } },
  });
  const { out, 'lose-answers': isLosing } = values;
  if (!out) return refuse('--out is missing: the folder that the recording goes into.');
  if (existsSync(out) && readdirSync(out).length > 0)
    return refuse(`${out} is not empty. Delete it, or name another folder.`);
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  return { out, isLosing };
}

/** Returns the variables of this process and of `.env` that are not empty. */
function environment(): Record<string, string> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
}

/** Starts the bot with storage that is deleted afterwards, and a local order service unless another one is configured. */
async function startAll(
  { out, isLosing }: ReturnType<typeof readArgs>,
  recording: Recording,
  env: Record<string, string>,
) {
  const service: OrderService | undefined = env['ORDER_SERVICE_URL']
    ? undefined
    : await startOrderService({ journal: createJournal() });
  const port = await freePort();
  const botUrl = `http://127.0.0.1:${port}`;
  const slackApiUrl = env['SLACK_API_URL'] ?? SLACK;
  const recorder = await startRecorder({
    recording,
    slackApiUrl,
    botUrl,
    port: Number(env['PORT'] ?? USUAL_PORT),
    ...(isLosing && { loses: losesFirstPosts() }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'countermand-record-'));
  const given = {
    ORDER_SERVICE_URL: service?.url ?? '',
    PUBLIC_URL: recorder.frontUrl,
    LOG_FORMAT: 'pretty',
    ...env,
    STORAGE_URL: `sqlite:${join(folder, 'countermand.db')}`,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    SLACK_API_URL: recorder.apiUrl,
  };
  // Here, since `env` may name files (SLACK_BOT_TOKEN_FILE) by their paths from this folder.
  const bot = startBot('bin/countermand.mjs', given, [], undefined, process.cwd());
  for (const stream of [bot.child.stdout, bot.child.stderr])
    stream?.on('data', (chunk: string) => void process.stdout.write(chunk));
  const close = async () => {
    await bot.kill('SIGTERM');
    await recorder.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  print(`What comes for the bot is taken at ${recorder.frontUrl}; the recording goes into ${out}.`);
  print(`Slack's methods are called at ${recorder.apiUrl}`);
  if (isLosing) print('The answers to the first message and to the first reply are lost.');
  if (service)
    print(`Orders: a local order service. Connect the workspace with the token ${SEED_TOKENS.acme.rest}`);
  return { bot, close };
}

function report(out: string, recording: Recording, redaction: Redaction): void {
  const { files, leftOut } = recording.summary();
  print(`\nKept in ${out}:`);
  for (const [file, samples] of [...files].sort()) print(`  ${file}: ${samples}`);
  const { token, id, email, url, text } = redaction.counts();
  print(`Replaced: ${id} ids, ${text} texts, ${url} addresses, ${email} e-mail addresses, ${token} tokens.`);
  if (leftOut > 0) print(`Left out, since something could be told from it: ${leftOut}.`);
  print('Look through the folder before you give it to anybody.');
}

const args = readArgs();
const { out } = args;
const env = environment();
const redaction = createRedaction();
// The values of secrets must never be in a file, whatever they look like.
for (const name of SECRETS) redaction.addSecret(env[name] ?? '');
const recording = createRecording(out, redaction);
const { bot, close } = await startAll(args, recording, env);
const closeAndReport = () => close().then(() => report(out, recording, redaction));
stopOnSignals(bot.ended, closeAndReport, (end) => print(`The bot ended with ${end}.`));
void bot.ready.then(
  () => print('Ready. Ctrl+C ends it.'),
  () => {},
);
