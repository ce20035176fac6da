import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { z } from 'zod';
import type { Confirm as ConfirmSchema } from '../../../../slack/blocks/text.ts';
import { Dialog } from '../../dialog.tsx';
import { PlainText, Text } from '../text/plain-text.tsx';

type Confirm = z.output<typeof ConfirmSchema>;

type Ask = (confirm: Confirm | undefined) => Promise<boolean>;

const AskContext = createContext<Ask>(async () => true);

/** Returns the function that asks the person to confirm; without a dialog it resolves with yes at once. */
export const useConfirm = (): Ask => useContext(AskContext);

/** The provider of `useConfirm`, which shows its dialogs. */
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
  const style = confirm.style === 'danger' ? 'danger' : 'primary';
  return (
    <Dialog label={confirm.title.text} className="confirm" isBlocking onCancel={() => answer(false)}>
      <header>
        <h2>
          <PlainText {...confirm.title} />
        </h2>
      </header>
      <div className="scroll">
        <Text {...confirm.text} />
      </div>
      <footer className="row">
        <button type="button" className="button" onClick={() => answer(false)}>
          {confirm.deny.text}
        </button>
        <button type="button" className={`button ${style}`} onClick={() => answer(true)}>
          {confirm.confirm.text}
        </button>
      </footer>
    </Dialog>
  );
}
