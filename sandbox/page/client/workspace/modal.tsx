import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { FieldValue } from '../../../slack/people/form/see-modal.ts';
import type { Sight } from '../../view-model/sight.ts';
import { type Acts, type Came, troubleText } from '../acts.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceProvider } from '../blocks/surface.ts';
import { Dialog } from '../dialog.tsx';

type Seen = NonNullable<Sight['modal']>;

/** The topmost view of the person's modal. */
export function Modal({ modal, acts }: { modal: Seen; acts: Acts }) {
  const { view, depth } = modal;
  const { surface, send } = useModalSurface(modal, acts);
  const { submit, isBusy, trouble } = useSubmission(send);
  const body = useFocusOnFields(`${view.hash} ${Object.keys(modal.errors)}`);
  return (
    <Dialog label={view.title.text} className="modal" onCancel={acts.closeModal}>
      <form onSubmit={submit} noValidate>
        <header>
          {depth > 1 && (
            <button type="button" className="plain" aria-label="Back" onClick={acts.closeModal}>
              ‹
            </button>
          )}
          <span className="app-icon" aria-hidden="true">
            C
          </span>
          <h2>{view.title.text}</h2>
          <button type="button" className="plain" aria-label="Close" onClick={acts.closeModal}>
            ×
          </button>
        </header>
        <div className="modal-body" ref={body}>
          {trouble && (
            <p className="trouble" role="alert">
              {trouble}
            </p>
          )}
          <SurfaceProvider value={surface}>
            <Blocks blocks={view.blocks} />
          </SurfaceProvider>
        </div>
        <footer>
          <button type="button" className="button" onClick={acts.closeModal}>
            {view.close?.text ?? (view.submit ? 'Cancel' : 'Close')}
          </button>
          {view.submit && (
            <button type="submit" className="button primary" aria-busy={isBusy} disabled={isBusy}>
              {isBusy && <span className="spinner" aria-hidden="true" />}
              {view.submit.text}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

/** How the elements of a modal act. What was typed since waits for the form to be sent, and so does what is on its way. */
function useModalSurface({ view, errors, offers }: Seen, acts: Acts) {
  const typed = useRef(new Map<string, string>()).current;
  const filling = useRef<Promise<unknown>>(Promise.resolve());

  function fill(values: Record<string, FieldValue>) {
    filling.current = acts.fill({ ...takeTyped(typed), ...values });
    return filling.current;
  }

  const surface = {
    values: view.state.values,
    offers,
    errors,
    // What was typed goes first: the app is shown the whole state with every action.
    click: async (key: string, option?: string) => {
      await (typed.size > 0 ? fill({}) : filling.current);
      return acts.click(key, undefined, option);
    },
    fill: (key: string, value: FieldValue) => fill({ [key]: value }),
    search: async (key: string, text: string) => (await acts.search(key, text))?.options ?? [],
    type: (key: string, value: string) => {
      typed.set(key, value);
    },
  };
  const send = async () => {
    await filling.current;
    return acts.submit(takeTyped(typed));
  };
  return { surface, send };
}

function takeTyped(typed: Map<string, string>): Record<string, FieldValue> {
  const values = Object.fromEntries(typed);
  typed.clear();
  return values;
}

function useSubmission(send: () => Promise<Came | undefined>) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    const came = await send();
    setBusy(false);
    if (came?.trouble) setTrouble(troubleText(came.trouble));
  }

  return { submit, isBusy, trouble };
}

/** Puts the focus into the first field that is wrong, or into the first one of all where the focus is in none yet. */
function useFocusOnFields(shown: string) {
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else is shown
  useEffect(() => {
    const wrong = body.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) wrong.focus();
    if (body.current?.contains(document.activeElement)) return;
    body.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [shown]);
  return body;
}
