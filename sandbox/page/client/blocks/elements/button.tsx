import { useState } from 'react';
import type { z } from 'zod';
import type { ActionsElement } from '../../../../slack/blocks/elements.ts';
import { Menu } from '../../popover.tsx';
import { useSurface } from '../surface.ts';
import { PlainText } from '../text/plain-text.tsx';
import { useConfirm } from './confirm.tsx';

type Element = z.output<typeof ActionsElement>;

/** A button, busy until the app has acknowledged. */
export function Button({ name, element }: { name: string; element: Extract<Element, { type: 'button' }> }) {
  const { click } = useSurface();
  const ask = useConfirm();
  const [isBusy, setBusy] = useState(false);

  async function press() {
    if (!(await ask(element.confirm))) return;
    setBusy(true);
    await click(name);
    setBusy(false);
    if (element.url) window.open(element.url, '_blank', 'noreferrer');
  }

  return (
    <button
      type="button"
      className={`button ${element.style ?? ''}`}
      aria-label={element.accessibility_label}
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={press}
    >
      <PlainText {...element.text} />
    </button>
  );
}

/** An overflow menu. */
export function Overflow({
  name,
  element,
}: {
  name: string;
  element: Extract<Element, { type: 'overflow' }>;
}) {
  const { click } = useSurface();
  const ask = useConfirm();

  async function pick(value: string) {
    if (await ask(element.confirm)) await click(name, value);
  }

  const items = element.options.map(({ text, value }) => ({
    key: value,
    label: <PlainText {...text} />,
    action: () => pick(value),
  }));
  return <Menu label="More" face="⋯" buttonClass="button" items={items} />;
}
