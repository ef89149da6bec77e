import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FrameId, PartView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Menu, type MenuViews } from '@/components/Menu';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { JsonView } from '@/widgets/json-view/JsonView';
import type { JsonAction } from '@/widgets/json-view/ValueMenu';
import { LineView } from '@/widgets/line-view/LineView';
import styles from './result.module.css';
import { CONTENT, RESULT } from './texts';

interface PartProps {
  part: PartView;
  frame: FrameId | null;
  label: string;
  /** Takes all the room there is. */
  fills: boolean;
}

interface JsonPartProps extends PartProps {
  /** The menu at the value of the row at hand. */
  action?: JsonAction | undefined;
}

/** JSON: a tree when it is small, else only the lines in view. */
export function JsonPart({ part, frame, label, fills, action }: JsonPartProps) {
  if (part.text !== null) {
    return <JsonView text={part.text} label={label} fills={fills} action={action} />;
  }
  return <Windowed part={part} frame={frame} label={label} fills={fills} form="pretty" />;
}

/** Text: whole when it is small, else only the lines in view. */
export function TextPart({ part, frame, label, fills }: PartProps) {
  if (part.text !== null)
    return (
      <pre className={styles.text} dir="auto">
        {part.text}
      </pre>
    );
  return <Windowed part={part} frame={frame} label={label} fills={fills} form="text" />;
}

interface WindowedProps extends PartProps {
  form: 'pretty' | 'text';
}

function Windowed({ part, frame, label, fills, form }: WindowedProps) {
  if (frame === null) {
    return <p className="bad">▲ {CONTENT.notOnRecord(part.size ?? 0)}</p>;
  }
  return (
    <div className={fills ? styles.fills : styles.windowed}>
      <LineView query={{ frame, pointer: part.pointer, form }} label={label} given={part.lines} />
    </div>
  );
}

interface Props {
  name: string;
  detail?: string;
  size?: number;
  /** The views that there are, where there are several. */
  views?: MenuViews | undefined;
  onSave?(): void;
  /** The words for saving it. */
  save?: string;
  children?: ReactNode;
}

/** The line above a block: what it is, how large, and what can be done with it. */
export function BlockHead(props: Props) {
  const { name, detail, size, views, onSave, save = RESULT.save, children } = props;
  const shown = views?.entries.find(({ id }) => id === views.shown);
  return (
    <div className={styles.blockHead}>
      <bdi className="min-w-0 break-anywhere remark">{visibleText(name)}</bdi>
      <span className="faint">
        {visibleText([detail, size !== undefined && formatSize(size)].filter(Boolean).join(' · '))}
      </span>
      <span className={styles.blockActions}>
        {children}
        {views && (
          <Menu
            label={views.label}
            trigger={
              <Button variant="quiet" className={classes(styles.small, styles.atHand)}>
                {shown?.title} <ChevronDown size={12} />
              </Button>
            }
            views={views}
            groups={onSave ? [[{ id: 'save', title: save, run: onSave }]] : []}
          />
        )}
        {onSave && !views && (
          <button
            type="button"
            className={classes(styles.link, styles.atHand)}
            aria-label={RESULT.saveNamed(name)}
            onClick={onSave}
          >
            {save}
          </button>
        )}
      </span>
    </div>
  );
}
