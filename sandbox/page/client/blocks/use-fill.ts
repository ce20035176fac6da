import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import type { FieldValue } from '../../../slack/people/form/see-modal.ts';
import { useConfirm } from './elements/confirm.tsx';
import { useSurface } from './surface.ts';

/** Enters a value into an element: shown at once, unless its dialog is answered with no, and then told to the sandbox. */
export function useFill(
  name: string,
  element: StatefulElement,
): (value: FieldValue, show: () => void) => Promise<void> {
  const surface = useSurface();
  const ask = useConfirm();
  return async (value, show) => {
    if (!(await ask('confirm' in element ? element.confirm : undefined))) return;
    show();
    await surface.fill(name, value);
  };
}
