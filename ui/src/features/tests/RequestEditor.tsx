import { Button } from '@/components/Button';
import type { EditorProblem } from '@/components/json-editor/editor-props';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { Section } from '@/components/Section';
import styles from './tests.module.css';
import { REQUESTS } from './texts';
import type { RequestText } from './use-request-text';

/** The file of a request, to be read and changed. */
export function RequestEditor({ text }: { text: RequestText }) {
  if (!text.view) return null;
  const problems: EditorProblem[] = text.problems.map((problem) => ({
    ...problem,
    severity: 'error',
  }));
  return (
    <Section
      title={REQUESTS.file}
      aside={
        <span className="row-inline gap-3">
          <span className="text-small faint" role="status">
            {text.hasChanges ? REQUESTS.unsaved : ''}
          </span>
          {text.hasChanges && (
            <>
              <Button variant="quiet" onPress={text.discard}>
                {REQUESTS.discard}
              </Button>
              <Button onPress={() => void text.save()}>{REQUESTS.save}</Button>
            </>
          )}
        </span>
      }
    >
      <p className="mb-3 break-anywhere text-small faint">
        <code>{text.view.path}</code>
      </p>
      {problems.map(({ line, column, message }) => (
        <p key={`${line}:${column}`} className={styles.failure}>
          ✕ {line}:{column} {message}
        </p>
      ))}
      <div className="frame-field">
        <JsonEditor
          label={REQUESTS.text}
          language="toml"
          lineNumbers
          value={text.text}
          onChange={text.change}
          problems={problems}
          minimumLines={8}
        />
      </div>
    </Section>
  );
}
