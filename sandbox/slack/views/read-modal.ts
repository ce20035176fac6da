import { type ModalView, validateModal } from '../blocks/validate.ts';
import { validationError } from '../slack-error.ts';

/** A view that Slack takes; refuses any other with its complaints. */
export function readModal(input: unknown): ModalView {
  const validated = validateModal(input);
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}
