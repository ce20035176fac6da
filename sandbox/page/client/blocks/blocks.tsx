/** Draws blocks. Their elements act on the surface around them (surface.tsx): a message, a modal or the Home tab. */
import { useId } from 'react';
import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './element.tsx';
import { useSurface } from './surface.tsx';
import { inOrder, PlainText, RichText, Text } from './text.tsx';

type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** A list of blocks. An element keeps its entered value for as long as its ids stay the same. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="blocks">
      {blocks.map((block) => (
        <div key={`${block.block_id} ${block.type}`} className={`block block-${block.type}`}>
          <BlockBody block={block} />
        </div>
      ))}
    </div>
  );
}

function BlockBody({ block }: { block: Block }) {
  switch (block.type) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <h3>
          <PlainText {...block.text} />
        </h3>
      );
    case 'context':
      return inOrder(block.elements, (each) => <Text {...each} />);
    case 'actions':
      return block.elements.map((element) => (
        <Element key={element.action_id} block_id={block.block_id} element={element} />
      ));
    case 'input':
      return <Input block={block} />;
    case 'rich_text':
      return <RichText elements={block.elements} />;
  }
}

function Section({ block }: { block: BlockOf<'section'> }) {
  const { text, accessory, block_id } = block;
  return (
    <>
      <div className="grow">
        <Text {...text} />
      </div>
      {accessory && (
        <Element block_id={block_id} element={accessory} field={{ 'aria-label': labelOf(text.text) }} />
      )}
    </>
  );
}

const labelOf = (text: string) => text.replace(/[*_~`]/g, '');

function Input({ block }: { block: BlockOf<'input'> }) {
  const id = useId();
  const error = useSurface().errors[block.block_id];
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
        block_id={block.block_id}
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
