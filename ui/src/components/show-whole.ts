/**
 * Scrolls to an element that is not seen in full. The observer tells that once everything is laid
 * out for the next picture; to ask would have it laid out twice.
 */
export function showWhole(element: HTMLElement): () => void {
  const observer = new IntersectionObserver(([entry]) => {
    observer.disconnect();
    if (entry && entry.intersectionRatio < 1) element.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(element);
  return () => observer.disconnect();
}
