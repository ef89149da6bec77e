import { useState } from 'react';
import type { ClientView, DefinitionView, ExplanationView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { entirelyVisible } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { editConfig } from '@/state/setup/setup-view';
import { definitionStatus, type FileRow, fullLabel } from '../grid/file-rows';
import styles from './explain.module.css';
import { DEFINITIONS } from './texts';

interface DefinitionsProps {
  client: ClientView;
  explanation: ExplanationView;
  row: FileRow;
}

/** Every definition of a server: field by field, or as it stands in its file. */
export function Definitions({ client, explanation, row }: DefinitionsProps) {
  const [form, setForm] = useState<'fields' | 'text'>('fields');
  const { definitions } = explanation;
  const several = definitions.length > 1;
  return (
    <Section
      title={DEFINITIONS.title(definitions.length)}
      aside={
        <Segmented
          label={DEFINITIONS.showAs}
          value={form}
          onChange={setForm}
          segments={[
            { value: 'fields', label: several ? DEFINITIONS.difference : DEFINITIONS.fields },
            { value: 'text', label: DEFINITIONS.text },
          ]}
        />
      }
    >
      {form === 'fields' ? (
        <FieldTable client={client} explanation={explanation} />
      ) : (
        definitions.map((definition) => (
          <div key={definition.scope} className="stack gap-1">
            <DefinitionHead client={client} definition={definition} several={several} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
            <pre className={styles.text} tabIndex={0}>
              <Confirmed text={definition.text} isLines />
            </pre>
          </div>
        ))
      )}
      {several && <MakeItCount client={client} explanation={explanation} row={row} />}
    </Section>
  );
}

interface DefinitionHeadProps {
  client: ClientView;
  definition: DefinitionView;
  several: boolean;
}

function DefinitionHead({ client, definition, several }: DefinitionHeadProps) {
  const titles = new Map(client.files.map(({ scope, title }) => [scope, title]));
  const status = definitionStatus(definition.state, several, titles);
  const place = { line: definition.line, column: definition.column };
  const target = { client: client.client, scope: definition.scope };
  return (
    <span className={styles.definitionHead}>
      <span className="row gap-3">
        <Glyph glyph={status.glyph} tone={status.tone} />
        <span title={fullLabel(status)}>{definition.title}</span>
      </span>
      <Button
        variant="quiet"
        className={styles.place}
        onPress={() => editConfig({ target, name: null, place })}
      >
        {DEFINITIONS.line(definition.line)}
      </Button>
    </span>
  );
}

/** Fields by definitions, the one that counts first. What differs is marked, the rest said once. */
function FieldTable({ client, explanation }: { client: ClientView; explanation: ExplanationView }) {
  const { definitions, fields } = explanation;
  const several = definitions.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
    <section className="scroll frame" aria-label={DEFINITIONS.fields} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{DEFINITIONS.field}</th>
            {definitions.map((definition) => (
              <th key={definition.scope} scope="col">
                <DefinitionHead client={client} definition={definition} several={several} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, values, differs }) => (
            <tr key={field} data-differs={(several && differs) || undefined}>
              <th scope="row">
                <code>{entirelyVisible(field)}</code>
                {several && differs && (
                  <span className={styles.differs}>
                    <span aria-hidden="true">≠</span>
                    <span className="visually-hidden">{DEFINITIONS.differs}</span>
                  </span>
                )}
              </th>
              {several && !differs ? (
                <td colSpan={definitions.length}>
                  <Value value={values[0] ?? null} />
                </td>
              ) : (
                values.map((value, index) => (
                  <td key={definitions[index]?.scope}>
                    <Value value={value} />
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ value }: { value: string | null }) {
  if (value === null) return <span className={styles.absent}>{DEFINITIONS.notSet}</span>;
  return <Confirmed text={value === '' ? '""' : value} />;
}

/** Offers to put another definition where the winner is, so that it counts instead. */
function MakeItCount({ client, explanation, row }: DefinitionsProps) {
  const winner = explanation.definitions[0];
  const isWritable = (scope: string) =>
    client.files.find((file) => file.scope === scope)?.writable === true;
  const losers = explanation.definitions.slice(1).filter(({ scope }) => isWritable(scope));
  if (!winner || losers.length === 0) return null;
  // One file may hold several scopes of a client.
  const nameOf = (scope: string) => {
    const file = client.files.find((known) => known.scope === scope);
    const isShared = client.files.some(
      (known) => known.scope !== scope && known.label === file?.label,
    );
    if (!file) return scope;
    return isShared ? `${file.label} (${file.title.toLowerCase()})` : file.label;
  };
  const show = useDialogs.getState().show;
  return (
    <div className="row wrap gap-4">
      <span className={styles.remark}>{DEFINITIONS.instead}</span>
      {losers.map((loser) => (
        <Button
          key={loser.scope}
          isDisabled={!isWritable(winner.scope)}
          onPress={() =>
            show({
              kind: 'config-transfer',
              mode: 'move',
              from: { client: client.client, scope: loser.scope },
              names: [row.name],
              to: { client: client.client, scope: winner.scope },
            })
          }
        >
          {DEFINITIONS.move(nameOf(loser.scope))}
        </Button>
      ))}
      <Button
        isDisabled={!isWritable(winner.scope)}
        onPress={() =>
          show({
            kind: 'config-change',
            action: {
              type: 'remove',
              target: { client: client.client, scope: winner.scope },
              names: [row.name],
            },
          })
        }
      >
        {DEFINITIONS.remove}
      </Button>
    </div>
  );
}
