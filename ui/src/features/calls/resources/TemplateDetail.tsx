import { useMemo, useRef } from 'react';
import type { ItemView, ServerView } from '@/backend/bindings';
import { titleOf } from '@/lib/schema/describe';
import { expandTemplate, templateVariables } from '@/lib/uri-template/uri-template';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useValues } from '@/state/calls/drafts';
import { CompletionField } from '@/widgets/completion-field/CompletionField';
import { About, Reading } from './ResourceDetail';
import { readResource } from './resource-definition';
import styles from './resources.module.css';
import { RESOURCE } from './texts';

interface Props {
  server: ServerView;
  template: string;
  item: ItemView | undefined;
}

/** One template: its variables, the URI they give, and what reading that brought. */
export function TemplateDetail({ server, template, item }: Props) {
  const head = useRef<HTMLElement>(null);
  const about = useMemo(() => readResource(item?.json), [item?.json]);
  const names = useMemo(() => templateVariables(template), [template]);
  const [values, setValues] = useValues(`${server.id}\ntemplate\n${template}`);
  const uri = expandTemplate(template, values);
  const missing = names.filter((name) => !values[name]);
  useAction('arguments.focus', () => head.current?.querySelector('input')?.focus());
  return (
    <div className="pane">
      <header ref={head} className={styles.head}>
        <div className="min-w-0">
          <h2 className={styles.uri}>{visibleText(template)}</h2>
          <About about={about} />
          {about.facts.length > 0 && <p className={styles.facts}>{about.facts.join(' · ')}</p>}
          {item?.problem && <p className="warn">▲ {item.problem}</p>}
          <div className={styles.variables}>
            {names.map((name) => (
              <CompletionField
                key={name}
                server={server.id}
                reference={{ type: 'template', uri: template }}
                name={name}
                title={titleOf({}, name)}
                isRequired={false}
                value={values[name]}
                others={Object.entries(values).filter(([other]) => other !== name)}
                onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
              />
            ))}
          </div>
          <p className="mt-5 break-anywhere">
            <span className={styles.facts}>{RESOURCE.uri}</span> <code>{uri}</code>
          </p>
          {missing.length > 0 && (
            <p className={styles.facts}>{RESOURCE.withoutValue(missing.map(visibleText))}</p>
          )}
        </div>
      </header>
      <Reading key={uri} server={server} uri={uri} list="resourceTemplates" item={item} />
    </div>
  );
}
