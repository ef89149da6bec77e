import { useEffect, useMemo, useRef, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { classes } from '@/components/classes';
import { Dialog } from '@/components/Dialog';
import { Highlight } from '@/components/Highlight';
import { oneSelected } from '@/components/one-selected';
import { SearchField } from '@/components/SearchField';
import { ranked } from '@/lib/rank';
import {
  closeGuide,
  type GuidePlace,
  type GuideSection,
  sectionsOf,
  useGuideChapters,
} from '@/state/guide';
import MarkdownText from '@/widgets/result/MarkdownText';
import styles from './guide.module.css';
import { GUIDE } from './texts';

const keyOf = ({ chapter, heading }: GuidePlace) => `${chapter}#${heading ?? ''}`;

/**
 * The guide: contents or what a search finds on the left, a chapter on the right. The chapter has
 * the focus at first and after a link, so that keys scroll it; the list keeps it while one chooses.
 */
export function GuideDialog({ place: first }: { place: GuidePlace }) {
  const chapters = useGuideChapters();
  const [place, setPlace] = useState(first);
  const [search, setSearch] = useState('');
  const text = useRef<HTMLElement>(null);
  const chapter = chapters.find(({ name }) => name === place.chapter);
  useEffect(() => {
    const headings = [...(text.current?.querySelectorAll('h1, h2') ?? [])];
    const wanted = place.heading ?? chapter?.title;
    headings.find(({ textContent }) => textContent === wanted)?.scrollIntoView();
  }, [chapter, place]);
  useEffect(() => text.current?.focus(), []);
  return (
    <Dialog title={GUIDE.title} isOpen width="full" isHarmless onClose={closeGuide}>
      <div className={styles.guide}>
        <div className="stack gap-4 min-h-0">
          <div className="row">
            <SearchField label={GUIDE.search} value={search} onChange={setSearch} />
          </div>
          <Contents place={place} search={search} onChoose={setPlace} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus */}
        <section ref={text} tabIndex={0} aria-label={chapter?.title} className="min-h-0 scroll">
          <MarkdownText
            text={chapter?.text ?? ''}
            onLink={(address) => {
              const name = address.replace(/\.md$/, '');
              if (!chapters.some((known) => known.name === name)) return false;
              setPlace({ chapter: name });
              text.current?.focus();
              return true;
            }}
          />
        </section>
      </div>
    </Dialog>
  );
}

interface ContentsProps {
  place: GuidePlace;
  search: string;
  onChoose: (place: GuidePlace) => void;
}

/** The chapters with the headings of the one that is shown, or all parts that a search finds. */
function Contents({ place, search, onChoose }: ContentsProps) {
  const chapters = useGuideChapters();
  const sections = useMemo(() => sectionsOf(chapters), [chapters]);
  const isSearch = search.trim() !== '';
  const listed = isSearch
    ? ranked(sections, search, ({ title, text }) => ({ name: title, more: [text] }))
    : sections.filter(({ chapter, heading }) => !heading || chapter === place.chapter);
  return (
    <>
      <p role="status" className={isSearch ? 'remark' : 'visually-hidden'}>
        {isSearch && GUIDE.found(listed.length)}
      </p>
      <ListBox
        aria-label={GUIDE.contents}
        className="fill scroll no-outline"
        {...oneSelected(keyOf(place), (key) => {
          const chosen = listed.find((section) => keyOf(section) === key);
          if (chosen) onChoose(chosen);
        })}
      >
        {listed.map((section) => (
          <Row key={keyOf(section)} section={section} search={search} isInner={!isSearch} />
        ))}
      </ListBox>
    </>
  );
}

/** A part of the guide in a list; of what a search found, with the chapter that it stands in. */
function Row(props: { section: GuideSection; search: string; isInner: boolean }) {
  const { section, search, isInner } = props;
  const { title, heading, chapterTitle } = section;
  return (
    <ListBoxItem
      id={keyOf(section)}
      textValue={title}
      className={classes(styles.row, isInner && heading && styles.inner)}
    >
      <Highlight text={title} search={search} />
      {!isInner && heading && <span className="block text-small faint">{chapterTitle}</span>}
    </ListBoxItem>
  );
}
