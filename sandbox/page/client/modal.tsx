import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { FieldValue } from '../../slack/people/see-modal.ts';
import type { Sight } from '../sight.ts';
import { type Acts, troubleText } from './acts.ts';
import { Blocks } from './blocks/blocks.tsx';
import { SurfaceProvider } from './blocks/surface.ts';
import { Dialog } from './dialog.tsx';

type Seen = NonNullable<Sight['modal']>;

/** The topmost view of the person's modal. */
export function Modal({ modal, acts }: { modal: Seen; acts: Acts }) {
  const { view, depth } = modal;
  const { typed, surface } = useModalSurface(modal, acts);
  const { submit, isBusy, trouble } = useSubmission(acts, typed);
  const body = useFocusOnFields(view.hash);
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

/** How the elements of a modal act; what was typed since waits for the form to be sent. */
function useModalSurface({ view, errors, offers }: Seen, acts: Acts) {
  const typed = useRef(new Map<string, string>());
  const flush = () => takeTyped(typed.current);
  const surface = {
    values: view.state.values,
    offers,
    errors,
    // What was typed goes first: the app is shown the whole state with every action.
    click: async (key: string, option?: string) => {
      const values = flush();
      if (Object.keys(values).length > 0) await acts.fill(values);
      return acts.click(key, undefined, option);
    },
    fill: (key: string, value: FieldValue) => acts.fill({ ...flush(), [key]: value }),
    search: async (key: string, text: string) => (await acts.search(key, text))?.options ?? [],
    type: (key: string, value: string) => {
      typed.current.set(key, value);
    },
  };
  return { typed: typed.current, surface };
}

function takeTyped(typed: Map<string, string>): Record<string, FieldValue> {
  const values = Object.fromEntries(typed);
  typed.clear();
  return values;
}

function useSubmission(acts: Acts, typed: Map<string, string>) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    const came = await acts.submit(takeTyped(typed));
    setBusy(false);
    if (came?.trouble) setTrouble(troubleText(came.trouble));
  }

  return { submit, isBusy, trouble };
}

/** Puts the focus into the first field whenever the view was opened or updated and the focus is not in a field already. */
function useFocusOnFields(hash: string) {
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new hash is a new view
  useEffect(() => {
    if (body.current?.contains(document.activeElement)) return;
    body.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [hash]);
  return body;
}
