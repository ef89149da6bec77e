import { beforeEach, expect, it, vi } from 'vitest';
import type { Backend } from '@/backend/backend';
import type { TaskFollow, TaskView } from '@/backend/bindings';
import { resultOfTask, useTasks } from './tasks';

const task = (follow: TaskFollow, status: TaskView['facts']['status'] = 'working') =>
  ({
    server: 's',
    follow,
    facts: { id: 'a', status, message: null },
    problem: null,
  }) as unknown as TaskView;

beforeEach(() => useTasks.setState({ tasks: [] }));

it('the result of a task is fetched once it has ended, also if its first fact is late', async () => {
  const taskResult = vi.fn(async () => 'the result');
  const result = resultOfTask({ getTaskResult: taskResult } as unknown as Backend, 's', 'a');
  useTasks.getState().set(task('following'));
  useTasks.getState().set(task('following'));
  expect(taskResult).not.toHaveBeenCalled();
  useTasks.getState().set(task('ended', 'completed'));
  expect(await result).toBe('the result');
  expect(useTasks.getState().tasks.length).toBe(1);
});

it.each([
  ['ended', 'The task was cancelled.'],
  ['unknown', 'The server does not know the task any more.'],
  ['notConnected', 'The connection ended before the task did.'],
] as const)('a task that is %s without a result says why', async (follow, message) => {
  useTasks.getState().set(task(follow, 'cancelled'));
  await expect(resultOfTask({} as Backend, 's', 'a')).rejects.toMatchObject({ message });
});

it('a task that is forgotten is waited for no longer', async () => {
  useTasks.getState().set(task('following'));
  const result = resultOfTask({} as Backend, 's', 'a');
  useTasks.getState().forget('s', 'a');
  await expect(result).rejects.toMatchObject({ message: 'The task was forgotten.' });
});
