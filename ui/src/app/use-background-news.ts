import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import { visibleText } from '@/lib/visible-text';
import { goToQuestion, useQuestions } from '@/state/calls/questions';
import { useNavigation } from '@/state/navigation';
import { type News, newsBetween, newsText, newsTone } from '@/state/news';
import { showNotice } from '@/state/notices';
import { useServers } from '@/state/servers/servers';
import { useSnapshot } from '@/state/snapshot';
import { asksFor } from '@/widgets/questions/texts';
import { SHOW } from './texts';

/** Milliseconds within which news are told together. */
const GATHERING_TIME = 400;

/**
 * Tells what happens to servers that the window does not show: by its notices, and where the
 * user wants it by a notification of the system while the window is not in front.
 */
export function useBackgroundNews(): void {
  const backend = useBackend();
  useEffect(() => {
    let gathered: News[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const notify = (title: string, body: string, open: () => void) => {
      if (!useSnapshot.getState().settings.notifications || document.hasFocus()) return;
      // Without notifications a notice has it all the same.
      backend.notify(title, body, open).catch(() => {});
    };
    const tell = () => {
      timer = undefined;
      const news = gathered;
      gathered = [];
      const server = news.at(-1)?.server;
      if (server === undefined) return;
      const text = newsText(news);
      const open = () => useNavigation.getState().open({ server, tab: 'overview' });
      showNotice(newsTone(news), text, { label: SHOW, run: open });
      notify(text, '', open);
    };
    const endServers = useServers.subscribe((state, before) => {
      if (!before.loaded || state.servers === before.servers) return;
      const { place, server: shown } = useNavigation.getState();
      const isSeen = (id: string) => place === 'server' && id === shown && document.hasFocus();
      const news = newsBetween(before.servers, state.servers);
      gathered.push(...news.filter(({ server }) => !isSeen(server)));
      if (gathered.length > 0) timer ??= setTimeout(tell, GATHERING_TIME);
    });
    // The bar across the window tells of questions; the notification leads to them.
    const endRequests = useQuestions.subscribe((state, before) => {
      const known = new Set(before.open.map(({ id }) => id));
      const question = state.open.findLast(({ id }) => !known.has(id));
      if (!question) return;
      const { servers } = useServers.getState();
      const name = servers.find(({ id }) => id === question.server)?.name ?? '';
      const title = `${visibleText(name)} ${asksFor(question.method)}`;
      notify(title, '', () => goToQuestion(question));
    });
    return () => {
      clearTimeout(timer);
      endServers();
      endRequests();
    };
  }, [backend]);
}
