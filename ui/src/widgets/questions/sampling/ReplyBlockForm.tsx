import { X } from 'lucide-react';
import type { SchemaProblem } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { SchemaForm } from '@/components/schema-form/SchemaForm';
import { TextField } from '@/components/TextField';
import { dataAddress } from '@/lib/mime';
import { visibleText } from '@/lib/visible-text';
import { useSchemaCheck } from '@/state/calls/schema-check';
import { Picture, Sound } from '@/widgets/media/Picture';
import styles from '@/widgets/questions/questions.module.css';
import type { OfferedTool, ReplyBlock } from './reply';
import { SAMPLING } from './texts';

interface ReplyBlockFormProps {
  /** Its place, from 1. */
  number: number;
  block: ReplyBlock;
  tools: readonly OfferedTool[];
  onChange: (block: ReplyBlock) => void;
  onRemove: () => void;
}

const KINDS = {
  text: SAMPLING.text,
  image: SAMPLING.image,
  audio: SAMPLING.audio,
  tool_use: SAMPLING.toolUse,
} as const;

/** One block of a reply. */
export function ReplyBlockForm({ number, block, tools, onChange, onRemove }: ReplyBlockFormProps) {
  const title =
    block.type === 'tool_use' ? SAMPLING.uses(visibleText(block.name)) : KINDS[block.type];
  const label = SAMPLING.block(title, number);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a block does.
    <div role="group" aria-label={label} className={styles.block}>
      <header className={styles.blockHead}>
        <span>{title}</span>
        {block.type === 'tool_use' && <code className="remark">{block.id}</code>}
        <IconButton icon={X} label={SAMPLING.remove(label)} onPress={onRemove} />
      </header>
      {block.type === 'text' && (
        <TextField
          label={label}
          hideLabel
          lines={4}
          value={block.text}
          onChange={(text) => onChange({ ...block, text })}
        />
      )}
      {block.type === 'image' && (
        <Picture address={dataAddress(block.mimeType, block.data)} label={label} />
      )}
      {block.type === 'audio' && (
        <Sound address={dataAddress(block.mimeType, block.data)} label={label} />
      )}
      {block.type === 'tool_use' && (
        <Arguments
          tool={tools.find(({ name }) => name === block.name)}
          block={block}
          onChange={onChange}
        />
      )}
    </div>
  );
}

const NO_VIOLATIONS: readonly SchemaProblem[] = [];

interface ArgumentsProps {
  tool: OfferedTool | undefined;
  block: Extract<ReplyBlock, { type: 'tool_use' }>;
  onChange: (block: ReplyBlock) => void;
}

function Arguments({ tool, block, onChange }: ArgumentsProps) {
  const schema = tool?.schema ?? '{"type":"object"}';
  const check = useSchemaCheck(schema, block.input);
  return (
    <SchemaForm
      label={SAMPLING.arguments(visibleText(block.name))}
      schema={schema}
      value={block.input}
      onChange={(input) => onChange({ ...block, input })}
      violations={check?.problems ?? NO_VIOLATIONS}
    />
  );
}
