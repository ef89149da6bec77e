/** Texts of the guide around its chapters. */
import { formatQuantity } from '@/lib/format';

export const GUIDE = {
  title: 'Guide',
  search: 'Search the guide',
  contents: 'Contents',
  found: (count: number) => `${formatQuantity(count, 'place')} found`,
} as const;
