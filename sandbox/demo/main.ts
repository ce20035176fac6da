/** `npm run demo`: plays every scene in the sandbox and prints each thread as a person reads it. */
import { connect } from '../connect.ts';
import { readArguments } from '../lib/arguments.ts';
import { type Sandbox, sayOpening, startSandbox } from '../start.ts';
import { APPROVALS, threadOnceCardSays } from './approvals.ts';
import { play, SCENES } from './scenes.ts';

const print = (line = '') => process.stdout.write(`${line}\n`);

readArguments('npm run demo', {});
print('Starting a Slack workspace, an order service and the bot, all on this machine …');
const sandbox = await startSandbox();
const complaints: string[] = [];

async function scene(title: string, run: () => Promise<string>): Promise<void> {
  print(`\n── ${title}\n`);
  try {
    print(await run());
  } catch (error) {
    complaints.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The main job: Ana cancels an order from a customer's message. @returns its thread as a person reads it */
async function cancelFromMessage(sandbox: Sandbox): Promise<string> {
  const { slack } = sandbox;
  const { cancelledAtOnce: message } = sayOpening(sandbox);
  const ana = slack.person('ana');
  await ana.messageShortcut('message_cancel_order', message);
  await ana.waitForModal(({ values }) => values['target'] === 'A-1001');
  await ana.submit({ reason_choice: 'Ordered twice' });
  const { channel, ts: thread_ts } = message;
  await slack.waitForMessage({ channel, thread_ts, text: /^<@\w+>: Order A-1001 is cancelled/ });
  return threadOnceCardSays(sandbox, 'Cancel order A-1001', 'Cancelled');
}

try {
  await connect(sandbox);
  print('Olga, an admin, has connected the workspace to the order service.');
  await scene('An order is cancelled from a customer’s message', () => cancelFromMessage(sandbox));
  for (const each of SCENES) await scene(each.title, () => play(sandbox, each));
  for (const each of APPROVALS) await scene(each.title, () => each.play(sandbox));
} finally {
  await sandbox.close();
}
print();
print(complaints.length === 0 ? 'Everything reads as it should.' : complaints.join('\n'));
process.exitCode = complaints.length === 0 ? 0 : 1;
