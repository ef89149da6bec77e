import type { FrontmatterField } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { JsonView } from '@/widgets/json-view/JsonView';
import styles from './skills.module.css';
import { SKILL } from './texts';

interface FrontmatterProps {
  /** JSON text in the entry. */
  declared: string;
  /** Absent until `SKILL.md` was read. */
  fields: readonly FrontmatterField[] | undefined;
}

/** The frontmatter in the entry, beside that in `SKILL.md` once it was read. */
export function Frontmatter({ declared, fields }: FrontmatterProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to focus.
    <section className={styles.scroll} tabIndex={0} aria-label={SKILL.frontmatter}>
      {fields === undefined || fields.length === 0 ? (
        <div className="pad-x-7 pad-y-6">
          <p className="remark">{SKILL.asListed}</p>
          <JsonView text={declared} label={SKILL.declared} />
        </div>
      ) : (
        <table className={styles.fields}>
          <thead>
            <tr>
              <th scope="col">{SKILL.field}</th>
              <th scope="col">{SKILL.declared}</th>
              <th scope="col">{SKILL.found}</th>
              <th scope="col">{SKILL.comparison}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name} data-differs={!field.isEqual || undefined}>
                <th scope="row">{visibleText(field.name)}</th>
                <td>{shownValue(field.declared)}</td>
                <td>{shownValue(field.found)}</td>
                <td className={field.isEqual ? styles.ok : styles.bad}>
                  {field.isEqual ? `✓ ${SKILL.equal}` : `✕ ${SKILL.differs}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function shownValue(json: string | null) {
  return json === null ? (
    <span className="remark">{SKILL.absent}</span>
  ) : (
    <code>{visibleText(json)}</code>
  );
}
