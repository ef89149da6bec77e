import { Suspense } from 'react';
import { lazyComponent } from '@/lib/lazy-component';
import type { JsonEditorProps } from './editor-props';

const CodeEditor = lazyComponent(() => import('./CodeEditor'), 'default');

/**
 * An editor for JSON, or a view of it with `readOnly`. The editor itself is only loaded once
 * it is needed, for the window has to open without it.
 */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<div style={{ height: `${(props.minimumLines ?? 1) * 18 + 8}px` }} />}>
      <CodeEditor {...props} />
    </Suspense>
  );
}
