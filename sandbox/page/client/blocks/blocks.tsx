/** Draws blocks. Their elements act on the surface around them (surface.tsx): a message, a modal or the Home tab. */
import { useId } from 'react';
import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './element.tsx';
import { RichText } from './rich-text.tsx';
import { useSurface } from './surface.tsx';
import { inOrder, PlainText, Text } from './text.tsx';

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
      return <Context block={block} />;
    case 'actions':
      return block.elements.map((element) => (
        <Element key={element.action_id} block_id={block.block_id} element={element} />
      ));
    case 'input':
      return <Input block={block} />;
    case 'divider':
      return <hr />;
    case 'image':
      return <img src={block.image_url} alt={block.alt_text} />;
    case 'rich_text':
      return <RichText elements={block.elements} />;
    case 'table':
      return <Table {...block} />;
  }
}

function Context({ block }: { block: BlockOf<'context'> }) {
  return inOrder(block.elements, (each) =>
    each.type === 'image' ? <img src={each.image_url} alt={each.alt_text} /> : <Text {...each} />,
  );
}

/** A section: a text, its fields and its accessory. */
function Section({ block }: { block: BlockOf<'section'> }) {
  const { text, fields, accessory, block_id } = block;
  return (
    <>
      <div className="grow">
        {text && <Text {...text} />}
        {fields && (
          <div className="section-fields">
            {inOrder(fields, (each) => (
              <Text {...each} />
            ))}
          </div>
        )}
      </div>
      {accessory?.type === 'image' && <img src={accessory.image_url} alt={accessory.alt_text} />}
      {accessory && accessory.type !== 'image' && (
        <Element block_id={block_id} element={accessory} field={{ 'aria-label': labelOf(text?.text) }} />
      )}
    </>
  );
}

const labelOf = (text = 'Choose') => text.replace(/[*_~`]/g, '');

/** A table block; its first row is the heading. */
function Table({ rows, column_settings }: BlockOf<'table'>) {
  const [heading = [], ...rest] = rows;
  const align = (column: number) => ({ textAlign: column_settings?.[column]?.align ?? 'left' }) as const;
  return (
    <table>
      <thead>
        <tr>
          {inOrder(heading, (cell, column) => (
            <th scope="col" style={align(column)}>
              {drawCell(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(rest, (row) => (
          <tr>
            {inOrder(row, (cell, column) => (
              <td style={align(column)}>{drawCell(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const drawCell = (cell: BlockOf<'table'>['rows'][number][number]) =>
  cell.type === 'raw_text' ? cell.text : <RichText elements={cell.elements} />;

/** A labelled field, with its hint and its error. */
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
