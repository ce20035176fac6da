/** `npm run sentences`: prints every sentence that the bot can say, as Slack shows it, so that a person can read them aloud. */
import { KIND_NAMES } from '../../src/requests/model/kinds.ts';
import { KIND_COPY } from '../../src/slack/blocks/kind-copy.ts';
import * as admins from './admins.ts';
import * as agents from './agents.ts';
import * as approvals from './approvals.ts';
import { historyLines, requestTexts } from './requests.ts';

const printed = new Set<string>();

/** Each line once, however many kinds, states and causes lead to it. */
function print(heading: string, texts: Iterable<string>): void {
  const fresh = [...texts].flatMap((text) => {
    const lines = text.split('\n').filter((line) => !printed.has(line));
    for (const line of lines) printed.add(line);
    return lines.length > 0 ? [lines.join('\n')] : [];
  });
  if (fresh.length > 0) process.stdout.write(`\n── ${heading}\n\n${fresh.join('\n\n')}\n`);
}

for (const kind of KIND_NAMES) {
  for (const [heading, texts] of await requestTexts(kind))
    print(`${KIND_COPY[kind].title}: ${heading}`, texts);
  print(`${KIND_COPY[kind].title}: lines of its history`, await historyLines(kind));
}
print('Messages to the approvers', approvals.approvalMessages());
print('Notes about a request', approvals.notes());
print('Private answers to a vote or a reason', approvals.voteTexts());
print('Forms of a request, and mistakes in them', agents.requestForms());
print('Reasons why somebody cannot make a request', agents.barriers());
print('Conflicts between requests', agents.conflicts());
print('Direct messages to the requester', agents.directTexts());
print('Status, history and sub-brands', agents.lookUps());
print('Help', await agents.help());
print('Failures', agents.failures());
print('Connecting', admins.connecting());
print('Disconnecting', admins.disconnecting());
print('Settings', admins.settings());
print('Notifications of a workspace', admins.notices());
print('Installing', admins.installing());
