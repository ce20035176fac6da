/**
 * `npm run sentences`: prints every sentence that the bot can say, as Slack shows it, so that a person can read them aloud.
 */
import { readArguments } from '../../sandbox/lib/arguments.ts';
import { general } from '../../src/catalogue/catalogue.ts';
import { KIND_NAMES } from '../../src/requests/model/kinds.ts';
import { KIND_COPY } from '../../src/slack/messages/sentences/request-words.ts';
import { drawn } from './render.ts';
import { historyLines, requestTexts } from './requests.ts';

readArguments('npm run sentences', {});

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
for (const { heading, surfaces } of general()) print(heading, surfaces.map(drawn));
