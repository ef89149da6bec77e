import { useEffect } from 'react';
import { create } from 'zustand';
import { useBackend } from '@/backend/backend';
import type { GuideChapter } from '@/backend/bindings';
import { showError } from './notices';

/** A part of the guide: a chapter, or what stands below one of its headings. */
export interface GuidePlace {
  readonly chapter: string;
  readonly heading?: string;
}

/** A part of the guide with what it says. */
export interface GuideSection extends GuidePlace {
  readonly title: string;
  readonly chapterTitle: string;
  /** Its text without the marks of Markdown. */
  readonly text: string;
}

const useGuide = create<{ chapters: readonly GuideChapter[] }>(() => ({ chapters: [] }));

/** Returns the chapters of the guide; none until they are loaded, which happens once. */
export function useGuideChapters(): readonly GuideChapter[] {
  const backend = useBackend();
  const chapters = useGuide((state) => state.chapters);
  useEffect(() => {
    if (useGuide.getState().chapters.length > 0) return;
    const load = async () => useGuide.setState({ chapters: await backend.listGuideChapters() });
    load().catch(showError);
  }, [backend]);
  return chapters;
}

/** The parts of all chapters: each chapter up to its first heading, then each heading. */
export function sectionsOf(chapters: readonly GuideChapter[]): readonly GuideSection[] {
  return chapters.flatMap(({ name, title, text }) =>
    text.split(/^## /m).map((part, order): GuideSection => {
      const [heading = '', ...lines] = part.split('\n');
      const place = { chapter: name, chapterTitle: title, text: withoutMarks(lines.join('\n')) };
      return order === 0 ? { ...place, title } : { ...place, title: heading, heading };
    }),
  );
}

function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`|]|^#+ /gm, '')
    .replace(/\s+/g, ' ');
}
