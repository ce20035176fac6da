import type { z } from 'zod';

/**
 * Returns Slack's own messages for invalid blocks or an invalid view: `no more than 50 items allowed
 * [json-pointer:/blocks]`.
 */
export function slackMessages(error: z.ZodError, root: string, input: unknown): string[] {
  return error.issues.flatMap((issue) => messagesOf(issue, root, input));
}

/** Formats an error at one path. */
export const complaint = (text: string, root: string, path: readonly PropertyKey[]) =>
  `${text} [json-pointer:${[root, ...path.map(String)].join('/')}]`;

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
