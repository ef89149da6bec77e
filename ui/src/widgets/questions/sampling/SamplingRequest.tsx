import { Facts } from '@/components/Section';
import { formatCount } from '@/lib/format';
import { membersIn, readMembers } from '@/lib/json/members';
import { dataAddress, isAudio, isImage } from '@/lib/mime';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { Picture, Sound } from '@/widgets/media/Picture';
import { textOf } from '@/widgets/questions/params';
import styles from '@/widgets/questions/questions.module.css';
import { offeredTools } from './reply';
import { SAMPLING } from './texts';

/** The conversation that the server wants continued, and its wishes. */
export function SamplingRequest({ params: text }: { params: string }) {
  const params = readMembers(text);
  const messages = Array.isArray(params.messages) ? params.messages.map(membersIn) : [];
  const tools = offeredTools(text);
  const preferences = membersIn(params.modelPreferences);
  return (
    <>
      <Facts
        facts={[
          [SAMPLING.systemPrompt, visibleLines(textOf(params.systemPrompt))],
          [
            SAMPLING.limit,
            typeof params.maxTokens === 'number'
              ? SAMPLING.tokens(formatCount(params.maxTokens))
              : null,
          ],
          [SAMPLING.temperature, numberOf(params.temperature)],
          [SAMPLING.stopSequences, textsOf(params.stopSequences)],
          [SAMPLING.models, hintsOf(preferences.hints)],
          [SAMPLING.priorities, prioritiesOf(preferences)],
          [SAMPLING.context, visibleText(textOf(params.includeContext))],
          [SAMPLING.toolChoice, visibleText(textOf(membersIn(params.toolChoice).mode))],
        ]}
      />
      {tools.length > 0 && (
        <>
          <h3>{SAMPLING.offered}</h3>
          <ul className={styles.tools} aria-label={SAMPLING.offered}>
            {tools.map((tool, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tools of one request never move
              <li key={index}>
                <details>
                  <summary aria-label={SAMPLING.schemaOf(visibleText(tool.name))}>
                    <code>{visibleText(tool.name)}</code>{' '}
                    <span className="remark">{visibleText(tool.description)}</span>
                  </summary>
                  <pre className="code-block pre-wrap">{visibleLines(tool.schema)}</pre>
                </details>
              </li>
            ))}
          </ul>
        </>
      )}
      <ol className={styles.messages}>
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one request never move
          <li key={index}>
            <h3>{message.role === 'assistant' ? SAMPLING.assistant : SAMPLING.user}</h3>
            {blocksOf(message.content).map((block, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor do their blocks
              <MessageBlock key={place} block={block} />
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The blocks of a content, which is one or, since 2025-11-25, a list. */
function blocksOf(content: unknown): Record<string, unknown>[] {
  return (Array.isArray(content) ? content : [content]).map(membersIn);
}

function numberOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null;
}

function textsOf(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.map((text) => `“${visibleText(textOf(text))}”`).join(', ');
}

function hintsOf(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  return value.map((hint) => visibleText(textOf(membersIn(hint).name))).join(', ');
}

const PRIORITIES = [
  ['intelligence', 'intelligencePriority'],
  ['speed', 'speedPriority'],
  ['cost', 'costPriority'],
] as const;

/** The weights of a model's properties, from 0 to 1. */
function prioritiesOf(preferences: Record<string, unknown>): string {
  return PRIORITIES.flatMap(([name, key]) => {
    const weight = numberOf(preferences[key]);
    return weight === null ? [] : [`${name} ${weight}`];
  }).join(', ');
}

/** Levels of results within results that are drawn. */
const MAX_DEPTH = 3;

/** One block of a message of a sampling request. */
function MessageBlock({ block, depth = 0 }: { block: Record<string, unknown>; depth?: number }) {
  const [kind, mimeType, data] = [textOf(block.type), textOf(block.mimeType), textOf(block.data)];
  if (kind === 'text')
    return <pre className="code-block pre-wrap">{visibleLines(textOf(block.text))}</pre>;
  if (kind === 'image' && isImage(mimeType))
    return <Picture address={dataAddress(mimeType, data)} />;
  if (kind === 'audio' && isAudio(mimeType)) return <Sound address={dataAddress(mimeType, data)} />;
  if (kind === 'tool_use') {
    return (
      <>
        <p className="mt-1 remark">
          {SAMPLING.uses(visibleText(textOf(block.name)))}{' '}
          <code>{visibleText(textOf(block.id))}</code>
        </p>
        <pre className="code-block pre-wrap">{visibleLines(jsonOf(block.input))}</pre>
      </>
    );
  }
  if (kind === 'tool_result' && depth < MAX_DEPTH && Array.isArray(block.content)) {
    return (
      <>
        <p className="mt-1 remark">
          {SAMPLING.resultOf(visibleText(textOf(block.toolUseId)))}
          {block.isError === true && <span className="bad"> ✕ {SAMPLING.failed}</span>}
        </p>
        {block.content.map((part: unknown, index) => (
          <MessageBlock
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one request never move
            key={index}
            block={(part ?? {}) as Record<string, unknown>}
            depth={depth + 1}
          />
        ))}
      </>
    );
  }
  return (
    <>
      <p className="mt-1 remark">{SAMPLING.notShown(visibleText(kind))}</p>
      <pre className="code-block pre-wrap">{visibleLines(jsonOf(block))}</pre>
    </>
  );
}

/** Characters of a block that is shown as JSON. */
const MAX_JSON = 20_000;

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? '';
  return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}…` : text;
}
