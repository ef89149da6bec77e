import { Suspense, useMemo, useState } from 'react';
import type { FrameId, PartView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import { lazyComponent } from '@/lib/lazy-component';
import { useSettings } from '@/state/settings';
import { WrapToggle } from '@/widgets/line-view/WrapToggle';
import { BlockHead } from './BlockHead';
import { SvgText } from './MediaContent';
import { isJson, isMarkdown, isSvg } from './mime';
import { JsonPart, TextPart } from './PartContent';
import styles from './result.module.css';
import { CONTENT } from './texts';

/** Loaded once it is needed. */
const MarkdownText = lazyComponent(() => import('./MarkdownText'), 'default');

type View = 'text' | 'json' | 'markdown' | 'image';

interface Props {
  part: PartView;
  frame: FrameId | null;
  /** The name of the block: "text", the URI of a resource. */
  name: string;
  mimeType: string | null;
  fills: boolean;
  onSave(): void;
}

/** Text in the view that suits it, and the others to choose from. */
export function TextContent({ part, frame, name, mimeType, fills, onSave }: Props) {
  const prefersMarkdown = useSettings((state) => state.settings.markdown);
  const views = useMemo(() => viewsOf(part, mimeType), [part, mimeType]);
  const [chosen, setChosen] = useState<View>();
  const preferred = preferredView(views, mimeType, prefersMarkdown);
  const view = chosen !== undefined && views.includes(chosen) ? chosen : preferred;
  return (
    <>
      <BlockHead name={name} detail={mimeType ?? ''} size={part.size ?? 0} onSave={onSave}>
        {part.text === null && <WrapToggle />}
        {views.length > 1 && (
          <Segmented
            label={CONTENT.viewOf(name)}
            segments={views.map((value) => ({ value, label: CONTENT.views[value] }))}
            value={view}
            onChange={setChosen}
            className={styles.small ?? ''}
          />
        )}
      </BlockHead>
      {view === 'json' && (
        <JsonPart part={part} frame={frame} label={CONTENT.asJson(name)} fills={fills} />
      )}
      {view === 'markdown' && (
        <Suspense>
          <MarkdownText text={part.text ?? ''} />
        </Suspense>
      )}
      {view === 'image' && <SvgText text={part.text ?? ''} />}
      {view === 'text' && <TextPart part={part} frame={frame} label={name} fills={fills} />}
    </>
  );
}

function viewsOf(part: PartView, mimeType: string | null): View[] {
  if (part.text === null) return ['text'];
  const views: View[] = ['text'];
  if (isSvg(mimeType)) views.push('image');
  else if (looksLikeJson(part.text)) views.push('json');
  else views.push('markdown');
  return views;
}

function preferredView(views: View[], mimeType: string | null, prefersMarkdown: boolean): View {
  if (views.includes('image')) return 'image';
  if (views.includes('json') || isJson(mimeType)) return views.includes('json') ? 'json' : 'text';
  return views.includes('markdown') && (prefersMarkdown || isMarkdown(mimeType))
    ? 'markdown'
    : 'text';
}

/** Tells whether a text is a JSON object or array; a lone number or word is shown as text. */
function looksLikeJson(text: string): boolean {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
