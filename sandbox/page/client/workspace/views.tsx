import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { FieldValue } from '../../../slack/people/seen.ts';
import type { WorkspaceViewModel } from '../../view-model/workspace.ts';
import { troubleText } from '../api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceContext, surfaceIn } from '../blocks/surface.tsx';
import { HOME } from '../navigation.ts';
import { Dialog } from '../overlays.tsx';
import type { ActionResult, Actions, Pressed } from '../self.ts';

export function Home(props: { me: string; page: WorkspaceViewModel['home']; actions: Actions }) {
  const { me, page, actions } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever somebody opens it
  useEffect(() => {
    void actions.openHome();
  }, [me]);
  return (
    <main className="column" aria-label="Countermand, Home">
      <header className="row">
        <h2>Countermand</h2>
        <span className="badge">Home</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll home" aria-label="Your page" tabIndex={0}>
        {page ? (
          <SurfaceContext value={surfaceIn(HOME, actions, page.offers, page.view.state.values)}>
            <Blocks blocks={page.view.blocks} />
          </SurfaceContext>
        ) : (
          <p className="quiet">Countermand has not published this page yet.</p>
        )}
      </section>
    </main>
  );
}

type Seen = NonNullable<WorkspaceViewModel['modal']>;

export function Modal({ modal, actions }: { modal: Seen; actions: Actions }) {
  const { view, depth } = modal;
  const { surface, send } = useModalSurface(modal, actions);
  const { submit, isBusy, trouble } = useSubmission(send);
  const close = useClosing(actions);
  const body = useFocusOnFields(`${view.hash} ${Object.keys(modal.errors)}`);
  return (
    <Dialog label={view.title.text} onCancel={close}>
      <form className="column" onSubmit={submit} noValidate>
        <header className="row">
          {depth > 1 && (
            <button type="button" aria-label="Back" onClick={close}>
              ‹
            </button>
          )}
          <span className="avatar" aria-hidden="true">
            C
          </span>
          <h2 className="grow">{view.title.text}</h2>
          <button type="button" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        <div className="scroll" ref={body}>
          {trouble && (
            <p className="trouble" role="alert">
              {trouble}
            </p>
          )}
          <SurfaceContext value={surface}>
            <Blocks blocks={view.blocks} />
          </SurfaceContext>
        </div>
        <footer className="row">
          <button type="button" className="button" onClick={close}>
            {view.close?.text ?? (view.submit ? 'Cancel' : 'Close')}
          </button>
          {view.submit && (
            <button type="submit" className="button primary" aria-busy={isBusy} disabled={isBusy}>
              {view.submit.text}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

/**
 * Returns the function that closes the view, once: the view stays on the page until the sandbox has closed it, and a second
 * Escape meanwhile must not close the view beneath.
 */
function useClosing(actions: Actions): () => Promise<void> {
  const isClosing = useRef(false);
  return async () => {
    if (isClosing.current) return;
    isClosing.current = true;
    isClosing.current = (await actions.closeModal()) !== undefined;
  };
}

/** Returns the surface of a modal, and the function that submits it with typed text, once values under way have arrived. */
function useModalSurface({ view, errors, offers }: Seen, actions: Actions) {
  const typed = useRef(new Map<string, string>()).current;
  const filling = useRef<Promise<unknown>>(Promise.resolve());

  function fill(values: Record<string, FieldValue>) {
    filling.current = actions.fill({ ...takeTyped(typed), ...values }, undefined);
    return filling.current;
  }

  const surface = {
    ...surfaceIn(undefined, actions, offers, view.state.values),
    errors,
    // Typed text is sent first, because every action shows the app the whole state.
    click: async (key: string, pressed: Pressed) => {
      await (typed.size > 0 ? fill({}) : filling.current);
      return actions.click(key, undefined, pressed);
    },
    fill: (key: string, value: FieldValue) => fill({ [key]: value }),
    type: (key: string, value: string) => {
      typed.set(key, value);
    },
  };
  const send = async () => {
    await filling.current;
    return actions.submit(takeTyped(typed));
  };
  return { surface, send };
}

function takeTyped(typed: Map<string, string>): Record<string, FieldValue> {
  const values = Object.fromEntries(typed);
  typed.clear();
  return values;
}

function useSubmission(send: () => Promise<ActionResult | undefined>) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setTrouble(undefined);
    const result = await send();
    setBusy(false);
    if (result?.trouble) setTrouble(troubleText(result.trouble));
  }

  return { submit, isBusy, trouble };
}

/** Focuses the first field with an error, or the first field if none has the focus yet. */
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
