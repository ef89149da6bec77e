import { Suspense } from 'react';
import { Section } from '@/components/Section';
import { lazyComponent } from '@/lib/lazy-component';
import styles from './overview.module.css';
import { SERVER } from './texts';

// What draws Markdown comes after the window.
const MarkdownText = lazyComponent(() => import('@/widgets/result/MarkdownText'), 'default');

/** What a server tells models of itself, in Markdown. */
export function Instructions({ text }: { text: string }) {
  return (
    <Section title={SERVER.instructions}>
      <div className={styles.instructions}>
        <Suspense>
          <MarkdownText text={text} />
        </Suspense>
      </div>
    </Section>
  );
}
