import { formatDuration } from '@/lib/format';
import { TEXT } from './texts';

/** Says what time a call has left while its question waits, in milliseconds. */
export function timeLeft(left: number): string {
  return TEXT.timeLeft(formatDuration(Math.round(left / 1000) * 1000));
}
