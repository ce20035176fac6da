import { type ModalView, validateModal } from '../blocks/validate.ts';
import { validationError } from '../slack-error.ts';

/** Returns a valid view, or throws with Slack's error messages. */
export function readModal(input: unknown): ModalView {
  const validated = validateModal(input);
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}
