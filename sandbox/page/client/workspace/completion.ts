import type { AppMenu } from '../../../lib/manifest.ts';
import { entityEscaped } from '../../../lib/unescaped.ts';
import type { PersonSeen } from '../../view-model/people.ts';

export type Completion = {
  /** The text of the field after this completion was chosen. */
  text: string;
  label: string;
  hint: string;
  description: string;
};

/** Returns completions for a text, with the cursor at its end: the app's commands at its start, else people after an @. */
export function completionsFor(
  text: string,
  commands: AppMenu['commands'],
  people: readonly PersonSeen[],
): Completion[] {
  if (/^\/\S*$/.test(text)) return commandsFor(text, commands);
  const [, before = '', name] = /^(.*(?:^|\s))@(\w*)$/s.exec(text) ?? [];
  if (name === undefined) return [];
  return people
    .filter((each) => beginsWith(each, name.toLowerCase()))
    .map((each) => ({
      text: `${before}@${each.name} `,
      label: `@${each.name}`,
      hint: each.real_name,
      description: each.roles.join(', '),
    }));
}

const beginsWith = ({ name, real_name }: PersonSeen, typed: string) =>
  [name, ...real_name.split(' ')].some((each) => each.toLowerCase().startsWith(typed));

const commandsFor = (typed: string, commands: AppMenu['commands']): Completion[] =>
  commands
    .filter(({ command }) => command.startsWith(typed))
    .map(({ command, usage_hint = '', description }) => ({
      text: `${command} `,
      label: command,
      hint: usage_hint,
      description,
    }));

/** Converts a text to Slack's format: a known name after an @ becomes a mention, and Slack's special characters are escaped. */
export function asSent(text: string, people: readonly PersonSeen[]): string {
  return entityEscaped(text).replace(/(?<=^|\s)@(\w+)(?![\w-])/g, (said, name: string) => {
    const person = people.find((each) => each.name === name);
    return person ? `<@${person.id}>` : said;
  });
}
