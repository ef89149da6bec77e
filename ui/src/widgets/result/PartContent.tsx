import type { FrameId, PartView } from '@/backend/bindings';
import { JsonView } from '@/widgets/json-view/JsonView';
import type { JsonAction } from '@/widgets/json-view/ValueMenu';
import { LineView } from '@/widgets/line-view/LineView';
import styles from './result.module.css';
import { CONTENT } from './texts';

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
      <LineView query={{ frame, pointer: part.pointer, form }} label={label} />
    </div>
  );
}
