import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import type { ItemState } from './use-item';

interface NoItemProps {
  found: ItemState;
  texts: {
    gone: (name: string) => string;
    goneHint: string;
    failed: string;
    choose: string;
    chooseHint: string;
  };
}

/** Says why no item of a list is shown; nothing while one is loaded. */
export function NoItem({ found, texts }: NoItemProps) {
  switch (found.state) {
    case 'gone':
      return <EmptyState title={texts.gone(visibleText(found.name))}>{texts.goneHint}</EmptyState>;
    case 'failed':
      return <EmptyState title={texts.failed}>{found.message}</EmptyState>;
    case 'none':
      return <EmptyState title={texts.choose}>{texts.chooseHint}</EmptyState>;
    default:
      return null;
  }
}
