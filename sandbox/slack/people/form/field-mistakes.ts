import { statefulElements } from '../../blocks/walk.ts';
import type { View } from '../../views/types.ts';
import { shortValue } from './see-modal.ts';

/** What Slack's client finds wrong before it sends a form, by block_id. */
export function fieldMistakes(view: View): Record<string, string> {
  const mistakes: Record<string, string> = {};
  for (const { block, element } of statefulElements(view.definition.blocks)) {
    if (block.type !== 'input') continue;
    const value = view.values[block.block_id]?.[element.action_id];
    const entered = value ? shortValue(value) : null;
    const isEmpty = entered === null || entered.length === 0;
    const mistake = isEmpty
      ? !block.optional && 'Please complete this required field.'
      : element.type === 'plain_text_input' && lengthMistake(entered.length, element);
    if (mistake) mistakes[block.block_id] = mistake;
  }
  return mistakes;
}

function lengthMistake(
  length: number,
  { min_length = 0, max_length = 3000 }: { min_length?: number | undefined; max_length?: number | undefined },
): string | false {
  if (length < min_length) return `Please enter at least ${min_length} characters.`;
  return length > max_length && `Please enter at most ${max_length} characters.`;
}
