import { useId } from 'react';
import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './elements/element.tsx';
import { useSurface } from './surface.ts';
import { PlainText } from './text/plain-text.tsx';

type InputBlock = Extract<Block, { type: 'input' }>;

/** A labelled field, with its hint and its error. */
export function Input({ block }: { block: InputBlock }) {
  const id = useId();
  const error = useSurface().errors[block.block_id ?? ''];
  const isGroup = block.element.type === 'radio_buttons' || block.element.type === 'checkboxes';
  const described = [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(' ');
  const field = {
    ...(isGroup ? {} : { id }),
    'aria-labelledby': `${id}-label`,
    ...(described && { 'aria-describedby': described }),
    'aria-invalid': error !== undefined,
    'aria-required': !block.optional,
  };
  const label = (
    <>
      <PlainText {...block.label} />
      {block.optional && <span className="quiet"> (optional)</span>}
    </>
  );
  return (
    <div className={`field ${error ? 'has-error' : ''}`}>
      {isGroup ? (
        <span id={`${id}-label`} className="label">
          {label}
        </span>
      ) : (
        <label id={`${id}-label`} className="label" htmlFor={id}>
          {label}
        </label>
      )}
      <Element
        block_id={block.block_id ?? ''}
        element={block.element}
        field={field}
        dispatches={block.dispatch_action}
      />
      {error && (
        <p id={`${id}-error`} className="error" role="alert">
          {error}
        </p>
      )}
      {block.hint && (
        <p id={`${id}-hint`} className="small">
          <PlainText text={block.hint.text} />
        </p>
      )}
    </div>
  );
}
