/** Names people and user groups without notifying them, as a mention in a new message would. */
import type { webApi } from '@slack/bolt';
import type { Directory } from '../../requests/ports/ports.ts';
import { code, escaped, listed } from '../blocks/text.ts';
import { listGroups } from '../directory/user-groups.ts';
import type { Naming } from './sentences/settings-texts.ts';

type Where = { client: webApi.WebClient; directory: Pick<Directory, 'person'>; workspace: string };

/**
 * Draws a text with the names of those whom it names; somebody whose name Slack does not give is shown by their id.
 *
 * @param draw is called twice: first to find whom it names
 */
export async function withNames<T>(where: Where, draw: (naming: Naming) => T): Promise<T> {
  const people = new Set<string>();
  const groups = new Set<string>();
  draw({
    people(ids) {
      for (const id of ids) people.add(id);
      return '';
    },
    group(id) {
      groups.add(id);
      return '';
    },
  });
  const named = new Map([...(await namesOf(where, people)), ...(await groupNames(where, groups))]);
  const nameOf = (id: string) => named.get(id) ?? code(id);
  return draw({ people: (ids) => listed(ids.map(nameOf)), group: nameOf });
}

async function namesOf({ directory, workspace }: Where, people: Iterable<string>) {
  const found = await Promise.all(
    [...people].map((id) => directory.person(workspace, id).catch(() => undefined)),
  );
  return found.flatMap((person): [string, string][] =>
    person?.name === undefined ? [] : [[person.id, escaped(person.name)]],
  );
}

async function groupNames({ client, workspace }: Where, groups: ReadonlySet<string>) {
  if (groups.size === 0) return [];
  const all = await listGroups(client, workspace).catch(() => []);
  return all.flatMap(({ id, name }): [string, string][] =>
    id !== undefined && name !== undefined && groups.has(id) ? [[id, `the group ${escaped(name)}`]] : [],
  );
}
