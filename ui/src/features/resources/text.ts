import { formatQuantity } from '@/lib/format';

/** The texts of the resources that depend on values. */
export const resourceText = {
  updates: (count: number, wasRead: boolean) =>
    wasRead
      ? `● ${formatQuantity(count, 'update')} since the last read`
      : `● ${formatQuantity(count, 'update')}, not read yet`,
};
