import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import type { FieldValue } from '../../../slack/people/see-modal.ts';
import { useConfirm } from './confirm.tsx';
import { useSurface } from './surface.ts';

/** Enters a value into an element, after its dialog was answered; false where the person thought better of it. */
export function useFill(name: string, element: StatefulElement): (value: FieldValue) => Promise<boolean> {
  const surface = useSurface();
  const ask = useConfirm();
  return async (value) => {
    if (!(await ask('confirm' in element ? element.confirm : undefined))) return false;
    await surface.fill(name, value);
    return true;
  };
}
