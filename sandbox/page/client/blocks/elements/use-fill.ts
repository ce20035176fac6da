import type { StatefulElement } from '../../../../slack/blocks/elements.ts';
import type { FieldValue } from '../../../../slack/people/seen.ts';
import { useSurface } from '../surface.ts';
import { useConfirm } from './confirm.tsx';

/**
 * Enters a value into an element. The value is shown at once and sent to the sandbox, unless its dialog is answered with no.
 */
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
