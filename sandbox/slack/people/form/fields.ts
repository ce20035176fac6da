/** The values that a person can enter into a field: only those that a real client offers. */
import { z } from 'zod';
import { offeredOptions } from '../../blocks/complaints.ts';
import type { StatefulElement } from '../../blocks/elements.ts';
import type { Option } from '../../blocks/text.ts';
import { PersonError } from '../../slack-error.ts';
import { offeredConversations } from '../../views/state.ts';
import type { StateValue, User } from '../../world/types.ts';
import { isUserVisible } from '../../world/users.ts';
import type { World } from '../../world/world.ts';
import type { FieldValue } from '../seen.ts';

/**
 * Converts an entry to a state value.
 * @param suggestions the options that an external select last offered the person
 */
export function enteredValue(
  element: StatefulElement,
  entry: FieldValue,
  { world, user, suggestions }: { world: World; user: User; suggestions: readonly Option[] },
): StateValue {
  const { type } = element;
  const one = <T>(find: (text: string) => T): T | null =>
    isEmpty(entry) ? null : find(single(element, entry));
  const many = <T>(find: (text: string) => T): T[] =>
    isEmpty(entry) ? [] : several(element, entry).map(find);
  const option = (text: string) => pickOption(element, suggestions, text);
  const named = (offered: { id: string; name: string }[]) => (text: string) =>
    pickNamed(element, offered, text);
  const people = () => named(offeredUsers(world, user));

  switch (type) {
    case 'plain_text_input':
      return { type, value: one((text) => text) };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: one(option) };
    case 'checkboxes':
      return { type, selected_options: many(option) };
    case 'conversations_select':
      return { type, selected_conversation: one(named(offeredConversations(world, user, element))) };
    case 'users_select':
      return { type, selected_user: one(people()) };
    case 'datepicker':
      return { type, selected_date: one((text) => pickDate(element, text)) };
    case 'multi_users_select':
      return { type, selected_users: many(people()) };
  }
}

const isEmpty = (entry: FieldValue): entry is null => entry === null || entry === '';

function single(element: StatefulElement, entry: string | string[]): string {
  if (typeof entry === 'string') return entry;
  throw new PersonError(`${describe(element)} takes one value`);
}

function several(element: StatefulElement, entry: string | string[]): string[] {
  const chosen = [...new Set([entry].flat())];
  const { max_selected_items: most = chosen.length } = 'max_selected_items' in element ? element : {};
  if (chosen.length > most) throw new PersonError(`${describe(element)} takes ${most} at most`);
  return chosen;
}

function pickOption(element: StatefulElement, suggestions: readonly Option[], text: string): Option {
  const offered = offeredOptions(element) ?? suggestions;
  const found =
    offered.find(({ value }) => value === text) ?? offered.find((each) => each.text.text === text);
  if (found) return found;
  const labels = offered.map((each) => each.text.text).join(', ') || 'nothing; search first';
  throw new PersonError(`${describe(element)} does not offer "${text}", but ${labels}`);
}

function pickDate(element: StatefulElement, text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new PersonError(`${describe(element)} does not offer ${text}`);
}

/** Returns a channel or user by its id or its name, with or without # or @. */
function pickNamed(element: StatefulElement, offered: { id: string; name: string }[], text: string): string {
  const name = text.replace(/^[#@]/, '');
  const found = offered.find(({ id }) => id === text) ?? offered.find((each) => each.name === name);
  if (!found) throw new PersonError(`${describe(element)} does not offer ${text}`);
  return found.id;
}

export const offeredUsers = (world: World, user: User): User[] =>
  [...world.users.values()].filter((each) => !each.deleted && isUserVisible(world, user.team_id, each));

const describe = ({ type, action_id }: StatefulElement) => `the ${type} ${action_id}`;
