/** The surroundings of elements: their message, modal or Home tab, and the dialogs that ask to confirm. */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { z } from 'zod';
import type { StatefulElement } from '../../../slack/blocks/elements.ts';
import type { Confirm as ConfirmSchema, Option } from '../../../slack/blocks/text.ts';
import type { Where } from '../../../slack/people/context.ts';
import type { FieldValue } from '../../../slack/people/seen.ts';
import type { StateValue, StateValues } from '../../../slack/world/types.ts';
import type { Offers } from '../../view-model/messages.ts';
import { Dialog } from '../overlays.tsx';
import type { Actions, Pressed } from '../self.ts';
import { PlainText } from './text.tsx';

/** The surface of blocks and the callbacks of its elements, each named by `block_id/action_id`. */
export type Surface = {
  /** By block_id, then by action_id; empty in a message, whose elements start with their initial values. */
  values: StateValues;
  offers: Offers;
  /** The error shown at a field, by block_id. */
  errors: Record<string, string>;
  click(key: string, pressed: Pressed): Promise<unknown>;
  fill(key: string, value: FieldValue): Promise<unknown>;
  search(key: string, text: string): Promise<Option[]>;
  type(key: string, value: string): void;
};

export const SurfaceContext = createContext<Surface | null>(null);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('There is no surface around these blocks.');
  return surface;
}

/** Returns the surface of a message or of the Home tab, which have no form: the app is told of each value at once. */
export const surfaceIn = (
  where: Where | undefined,
  actions: Actions,
  offers: Offers,
  values: StateValues,
): Surface => ({
  values,
  errors: {},
  offers,
  click: (key, pressed) => actions.click(key, where, pressed),
  fill: (key, value) => actions.fill({ [key]: value }, where),
  search: (key, text) => actions.search(key, text, where),
  type: () => {},
});

export type FieldProps<E extends StatefulElement> = {
  name: string;
  element: E;
  value: StateValue | undefined;
  field: FieldAttributes;
  dispatches: boolean;
};

/** The attributes that connect a control with its label, its hint and its error. */
export type FieldAttributes = {
  id?: string;
  'aria-labelledby'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
  'aria-label'?: string;
};

/** Returns the function that enters a value into an element: it shows the value and sends it to the sandbox. */
export function useFill(name: string) {
  const surface = useSurface();
  return async (value: FieldValue, show: () => void): Promise<void> => {
    show();
    await surface.fill(name, value);
  };
}

type Confirm = z.output<typeof ConfirmSchema>;

type Ask = (confirm: Confirm | undefined) => Promise<boolean>;

const AskContext = createContext<Ask>(async () => true);

/** Returns the function that asks the person to confirm; without a dialog it resolves with yes at once. */
export const useConfirm = (): Ask => useContext(AskContext);

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Confirm>();
  const answer = useRef<(isYes: boolean) => void>(() => {});
  const ask = useCallback<Ask>((confirm) => {
    if (!confirm) return Promise.resolve(true);
    setAsked(confirm);
    return new Promise((resolve) => {
      answer.current = (isYes) => {
        setAsked(undefined);
        resolve(isYes);
      };
    });
  }, []);
  return (
    <AskContext value={ask}>
      {children}
      {asked && <ConfirmDialog confirm={asked} answer={(isYes) => answer.current(isYes)} />}
    </AskContext>
  );
}

function ConfirmDialog({ confirm, answer }: { confirm: Confirm; answer: (isYes: boolean) => void }) {
  return (
    <Dialog label={confirm.title.text} className="confirm" isBlocking onCancel={() => answer(false)}>
      <header>
        <h2>
          <PlainText {...confirm.title} />
        </h2>
      </header>
      <div className="scroll">
        <PlainText {...confirm.text} />
      </div>
      <footer className="row">
        <button type="button" className="button" onClick={() => answer(false)}>
          {confirm.deny.text}
        </button>
        <button type="button" className="button primary" onClick={() => answer(true)}>
          {confirm.confirm.text}
        </button>
      </footer>
    </Dialog>
  );
}
