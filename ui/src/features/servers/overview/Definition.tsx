import type { ServerPlaceView, ServerView } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import styles from './overview.module.css';
import { DEFINITION } from './texts';

/** The client whose server this is, the others that define the same, and what differs there. */
export function Definition({ server }: { server: ServerView }) {
  const { target, also, differences } = server;
  const isPlain = target?.client === 'mcp-json' && also.length === 0 && differences.length === 0;
  if (target === null || isPlain) return null;
  return (
    <Section title={DEFINITION.title}>
      <Facts
        facts={[
          [
            DEFINITION.client,
            <Place key="client" title={titleOf(server)} path={server.path ?? ''} />,
          ],
          [
            DEFINITION.also,
            also.length === 0 ? null : (
              <span key="also">
                {also.map((place) => (
                  <Place key={place.server} title={titleOf(place)} path={place.path} />
                ))}
              </span>
            ),
          ],
          [
            DEFINITION.differences,
            differences.length === 0 ? null : (
              <ul key="differences" className={styles.evidence}>
                {differences.map((difference) => (
                  <li key={difference}>{visibleText(difference)}</li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function titleOf(place: Pick<ServerPlaceView, 'clientTitle' | 'scopeTitle'>): string {
  return `${place.clientTitle} · ${place.scopeTitle}`;
}

function Place({ title, path }: { title: string; path: string }) {
  return (
    <span className="block">
      {title} <code>{visibleText(path)}</code>
    </span>
  );
}
