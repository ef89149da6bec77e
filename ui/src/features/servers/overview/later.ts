import { lazyComponent, loadInOrder } from '@/lib/lazy-component';

// What a connection, its failure and its approval look like is drawn after the first picture.

export const ConnectionDetails = lazyComponent(
  () => import('./ConnectionDetails'),
  'ConnectionDetails',
);
export const FailurePanel = lazyComponent(() => import('./FailurePanel'), 'FailurePanel');
export const ObstaclePanel = lazyComponent(() => import('./ObstaclePanel'), 'ObstaclePanel');
export const VerdictPanel = lazyComponent(() => import('./VerdictPanel'), 'VerdictPanel');
export const ApprovalPanel = lazyComponent(
  () => import('@/widgets/approval/ApprovalPanel'),
  'ApprovalPanel',
);

/** Loads the parts of an overview ahead, those that a connection shows first. */
export function preloadOverview(): Promise<void> {
  return loadInOrder([ConnectionDetails, VerdictPanel, FailurePanel, ObstaclePanel, ApprovalPanel]);
}
