import { z } from 'zod';
import { type Validated, validateHome, validateMessageBlocks, validateModal } from '../../blocks/validate.ts';
import { SlackError } from '../../slack-error.ts';
import { json } from '../arguments.ts';
import { type ApiMethod, method } from '../method.ts';

const optional = json.optional();

/**
 * Says whether Slack would take blocks, a message or a view, exactly one of them
 * (https://docs.slack.dev/reference/methods/blocks.validate).
 */
export const blocksValidate: ApiMethod = method({
  name: 'blocks.validate',
  tier: 'unlimited',
  scopes: [],
  args: z.object({ blocks: optional, message: optional, view: optional }),
  run: (_, given) => {
    const [[name, input] = [], ...more] = Object.entries(given).filter(([, value]) => value !== undefined);
    if (name === undefined || more.length > 0) throw new SlackError('invalid_arguments');
    const checked = CHECKS[name]?.(input);
    if (!checked || checked.ok) return {};
    throw new SlackError(`invalid_${name}`, { errors: checked.messages.map(errorOf(name)) });
  },
});

const CHECKS: Record<string, (input: unknown) => Validated<unknown>> = {
  blocks: validateMessageBlocks,
  message: (input) => validateMessageBlocks((input as { blocks?: unknown } | null)?.blocks),
  view: (input) =>
    (input as { type?: unknown } | null)?.type === 'home' ? validateHome(input) : validateModal(input),
};

/** The pointer begins in the argument: at an index of `blocks`, at a field of `message` or `view`. */
const errorOf = (name: string) => (complaint: string) => {
  const [, message = complaint, path = ''] = /^(.*) \[json-pointer:(.*)\]$/s.exec(complaint) ?? [];
  const root = name === 'message' ? '' : `/${name}`;
  return { code: 'failed_constraint', message, pointer: path.slice(path.startsWith(root) ? root.length : 0) };
};
