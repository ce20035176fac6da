import { type ReactNode, useEffect, useId, useState } from 'react';
import { useEscape } from '../escape.ts';
import { useNavigation } from '../navigation.ts';

/**
 * The lists of workspaces and channels. In a narrow page a button unfolds them, until something is chosen; the title of the
 * page, for screen readers, is there all the same.
 */
export function FoldingLists({ team, children }: { team: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const { place } = useNavigation();
  const id = useId();
  useEscape('list', () => setOpen(false), isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the person goes anywhere
  useEffect(() => setOpen(false), [place]);
  return (
    <>
      <header className="page-title">
        <h1 className="for-readers">{team}</h1>
        <button
          type="button"
          className="fold-lists"
          aria-label="Channels"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '×' : '☰'}
        </button>
      </header>
      <div id={id} className={isOpen ? 'lists' : 'lists folded'}>
        {children}
      </div>
    </>
  );
}
