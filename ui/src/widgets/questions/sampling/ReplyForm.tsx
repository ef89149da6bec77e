import { Image, MessageSquare, Volume2, Wrench, X } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import type { SchemaProblem } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Menu } from '@/components/Menu';
import { Select } from '@/components/Select';
import { SchemaForm } from '@/components/schema-form/SchemaForm';
import { TextField } from '@/components/TextField';
import { dataAddress, isAudio, isImage } from '@/lib/mime';
import { visibleText } from '@/lib/visible-text';
import { useSchemaCheck } from '@/state/calls/schema-check';
import { showError } from '@/state/notices';
import { Picture, Sound } from '@/widgets/media/Picture';
import styles from '@/widgets/questions/questions.module.css';
import {
  MAX_MEDIA_SIZE,
  type OfferedTool,
  offeredTools,
  type Reply,
  type ReplyBlock,
  STOP_REASONS,
  toolUse,
  withBlocks,
} from './reply';
import { SAMPLING } from './texts';

interface ReplyFormProps {
  reply: Reply;
  /** Those of the request, as JSON. */
  params: string;
  onChange: (reply: Reply) => void;
}

/** A reply to a sampling request, block by block. */
export function ReplyForm({ reply, params, onChange }: ReplyFormProps) {
  const tools = useMemo(() => offeredTools(params), [params]);
  const add = (block: ReplyBlock) => onChange(withBlocks(reply, [...reply.blocks, block]));
  const set = (index: number, block: ReplyBlock) =>
    onChange(withBlocks(reply, reply.blocks.with(index, block)));
  const remove = (index: number) =>
    onChange(
      withBlocks(
        reply,
        reply.blocks.filter((_, place) => place !== index),
      ),
    );
  const reasons: string[] = [...STOP_REASONS];
  if (!reasons.includes(reply.stopReason)) reasons.push(reply.stopReason);
  return (
    <>
      {reply.blocks.length === 0 && <p className={styles.note}>▲ {SAMPLING.empty}</p>}
      {reply.blocks.map((block, index) => (
        <ReplyBlockForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a block has no name of its own
          key={`${index} ${block.type}`}
          number={index + 1}
          block={block}
          tools={tools}
          onChange={(next) => set(index, next)}
          onRemove={() => remove(index)}
        />
      ))}
      <fieldset className="row wrap gap-4 border-0 p-0">
        <legend className={styles.addingLabel}>{SAMPLING.add}</legend>
        <Button onPress={() => add({ type: 'text', text: '' })}>
          <MessageSquare size={13} /> {SAMPLING.addText}
        </Button>
        <FileButton kind="image" onAdd={add}>
          <Image size={13} /> {SAMPLING.addImage}
        </FileButton>
        <FileButton kind="audio" onAdd={add}>
          <Volume2 size={13} /> {SAMPLING.addAudio}
        </FileButton>
        {tools.length > 0 && (
          <Menu
            label={SAMPLING.addUse}
            trigger={
              <Button>
                <Wrench size={13} /> {SAMPLING.addUse}
              </Button>
            }
            groups={[
              tools.map((tool, index) => ({
                id: String(index),
                title: visibleText(tool.name),
                run: () => add(toolUse(tool, reply)),
              })),
            ]}
          />
        )}
      </fieldset>
      <div className={styles.pair}>
        <TextField
          label={SAMPLING.model}
          value={reply.model}
          onChange={(model) => onChange({ ...reply, model })}
        />
        <Select
          label={SAMPLING.stopReason}
          choices={reasons.map((value) => ({ value, label: visibleText(value) }))}
          value={reply.stopReason}
          onChange={(stopReason) => onChange({ ...reply, stopReason })}
        />
      </div>
    </>
  );
}

interface FileButtonProps {
  kind: 'image' | 'audio';
  onAdd: (block: ReplyBlock) => void;
  children: ReactNode;
}

/** Asks for a file, and adds it as a block. */
function FileButton({ kind, onAdd, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={`${kind}/*`}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void readMedia(kind, file).then(onAdd).catch(showError);
          target.value = '';
        }}
      />
      <Button onPress={() => input.current?.click()}>{children}</Button>
    </>
  );
}

/** Reads a file as a block. Throws what is to be shown. */
async function readMedia(kind: 'image' | 'audio', file: File): Promise<ReplyBlock> {
  const fits = kind === 'image' ? isImage : isAudio;
  const name = visibleText(file.name);
  const noun = (kind === 'image' ? SAMPLING.image : SAMPLING.audio).toLowerCase();
  if (!fits(file.type)) throw new Error(SAMPLING.wrongType(name, noun));
  if (file.size > MAX_MEDIA_SIZE) throw new Error(SAMPLING.tooLarge(name, MAX_MEDIA_SIZE));
  const address = await new Promise<string>((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
  return { type: kind, mimeType: file.type, data: address.slice(address.indexOf(',') + 1) };
}

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
function ReplyBlockForm({ number, block, tools, onChange, onRemove }: ReplyBlockFormProps) {
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
