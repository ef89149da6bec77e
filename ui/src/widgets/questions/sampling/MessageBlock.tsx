import { dataAddress, isAudio, isImage } from '@/lib/mime';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { Picture } from '@/widgets/media/Picture';
import { Sound } from '@/widgets/media/Sound';
import { textOf } from '@/widgets/questions/params';
import { SAMPLING } from './texts';

/** Levels of results within results that are drawn. */
const MAX_DEPTH = 3;

interface MessageBlockProps {
  block: Record<string, unknown>;
  depth?: number;
}

/** One block of a message of a sampling request. */
export function MessageBlock({ block, depth = 0 }: MessageBlockProps) {
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
