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

interface GuideState {
  chapters: readonly GuideChapter[];
  /** The part that is shown, over whatever dialog is open; null while the guide is closed. */
  place: GuidePlace | null;
}

const useGuide = create<GuideState>(() => ({ chapters: [], place: null }));

/** Shows a part of the guide. A dialog that is open stays below it, with what was typed. */
export function openGuide(place: GuidePlace): void {
  if (useGuide.getState().place === null) useGuide.setState({ place });
}

export function closeGuide(): void {
  useGuide.setState({ place: null });
}

/** Returns the part of the guide that is to be shown; null where it is closed. */
export function useGuidePlace(): GuidePlace | null {
  return useGuide((state) => state.place);
}

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
