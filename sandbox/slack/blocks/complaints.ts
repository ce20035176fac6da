/** Slack's own messages about invalid blocks and views. */
import type { z } from 'zod';
import { type Block, elementsOf } from './blocks.ts';
import type { InteractiveElement } from './elements.ts';
import type { Option } from './text.ts';

/** Returns Slack's own messages for invalid blocks or an invalid view: `no more than 50 items allowed [json-pointer:/blocks]`. */
export function slackMessages(error: z.ZodError, root: string, input: unknown): string[] {
  return error.issues.flatMap((issue) => messagesOf(issue, root, input));
}

function complaint(text: string, root: string, path: readonly PropertyKey[]): string {
  const pointer = [root, ...path.map(String)].join('/');
  // An argument that is missing itself is in nothing (slackapi/node-slack-sdk#1415).
  return pointer === '' ? text : `${text} [json-pointer:${pointer}]`;
}

function messagesOf(issue: z.core.$ZodIssue, root: string, input: unknown): string[] {
  const { path } = issue;
  const value = valueAt(input, path);
  const isMissing = value === undefined && path.length > 0;
  if (isMissing && (issue.code === 'invalid_type' || issue.code === 'invalid_union')) {
    return [complaint(`missing required field: ${String(path.at(-1))}`, root, path.slice(0, -1))];
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => complaint(`invalid additional property: ${key}`, root, path));
  }
  return [complaint(describe(issue, value), root, path)];
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'array'
        ? `no more than ${issue.maximum} items allowed`
        : `must be less than ${Number(issue.maximum) + 1}${unit(issue.origin)}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `no fewer than ${issue.minimum} items allowed`
        : `must be more than ${Number(issue.minimum) - 1}${unit(issue.origin)}`;
    case 'invalid_union':
      return `unsupported type: ${String(value)}`;
    case 'invalid_value':
      return 'must be a valid enum value';
    case 'invalid_type':
      return `must provide ${issue.expected === 'object' || issue.expected === 'array' ? 'an' : 'a'} ${issue.expected}`;
    default:
      return issue.message;
  }
}

const unit = (origin: string) => (origin === 'string' ? ' characters' : '');

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      value !== null && typeof value === 'object' ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}

/**
 * Returns the conflicts between blocks or elements that are each valid in themselves. The limits are Slack's; the wording is
 * invented.
 */
export function inconsistencies(blocks: readonly Block[], root: string): string[] {
  return [
    ...repeatedBlockIds(blocks, root),
    ...blocks.flatMap((block, index) => repeatedActionIds(block, root, index)),
    ...blocks.flatMap((block, index) => strayInitialOptions(block, root, index)),
    ...focusedTwice(blocks, root),
  ];
}

function repeatedBlockIds(blocks: readonly Block[], root: string): string[] {
  return blocks.flatMap(({ block_id }, index) => {
    const first = blocks.findIndex((other) => other.block_id === block_id);
    return first === index
      ? []
      : [complaint(`block_id "${block_id}" already exists`, root, [index, 'block_id'])];
  });
}

function repeatedActionIds(block: Block, root: string, index: number): string[] {
  const seen = new Set<string>();
  return elementsOf(block).flatMap(({ element: { action_id }, path }) => {
    const repeated = seen.has(action_id);
    seen.add(action_id);
    const text = `\`action_id\` "${action_id}" already exists for another element`;
    return repeated ? [complaint(text, root, [index, ...path, 'action_id'])] : [];
  });
}

function strayInitialOptions(block: Block, root: string, index: number): string[] {
  return elementsOf(block).flatMap(({ element, path }) => {
    const offered = offeredOptions(element);
    if (!offered) return [];
    const isOffered = (option: Option) => offered.some((other) => sameOption(option, other));
    return initialOptions(element).every(isOffered)
      ? []
      : [complaint('initial option is not one of the options', root, [index, ...path])];
  });
}

function focusedTwice(blocks: readonly Block[], root: string): string[] {
  const focused = blocks
    .flatMap(elementsOf)
    .filter(({ element }) => 'focus_on_load' in element && element.focus_on_load);
  return focused.length > 1 ? [complaint('only one element can have focus_on_load', root, [])] : [];
}

/** Returns the options that an element lists itself; undefined if they are loaded from the app, or there are none. */
export function offeredOptions(element: InteractiveElement): Option[] | undefined {
  return 'options' in element ? element.options : undefined;
}

function initialOptions(element: InteractiveElement): Option[] {
  if ('initial_options' in element) return element.initial_options ?? [];
  return 'initial_option' in element && element.initial_option ? [element.initial_option] : [];
}

const sameOption = (one: Option, other: Option) =>
  one.value === other.value && one.text.text === other.text.text;
