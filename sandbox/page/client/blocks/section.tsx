import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './elements/element.tsx';
import { Text } from './text/plain-text.tsx';

/** A section: a text, its fields and its accessory. */
export function Section({ block }: { block: Extract<Block, { type: 'section' }> }) {
  const { text, fields, accessory, block_id = '' } = block;
  return (
    <>
      <div className="grow">
        {text && <Text {...text} />}
        {fields && (
          <div className="section-fields">
            {fields.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields of one block, which is drawn anew when it changes
              <Text key={index} {...each} />
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
