import type { Subject } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { PARTS } from './texts';

/** A thing on a surface, and a place in it. */
export function Place({ subject, path }: { subject: Subject; path: string }) {
  return (
    <span className="break-anywhere">
      {PARTS[subject.part]} {subject.name !== '' && <code>{visibleText(subject.name)}</code>}{' '}
      {path !== '' && <code className="remark">{visibleText(path)}</code>}
    </span>
  );
}
