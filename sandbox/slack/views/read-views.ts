import {
  type HomeView,
  type ModalView,
  type Validated,
  validateHome,
  validateModal,
} from '../blocks/validate.ts';
import { validationError } from '../slack-error.ts';

/** Returns a valid view, or throws with Slack's error messages. */
export const readModal = (input: unknown): ModalView => valid(validateModal(input));
export const readHome = (input: unknown): HomeView => valid(validateHome(input));

function valid<View>(validated: Validated<View>): View {
  if (!validated.ok) throw validationError(validated);
  return validated.value;
}
