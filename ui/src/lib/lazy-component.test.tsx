import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyComponent, loadInTurn } from './lazy-component';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('draws the export that was asked for', async () => {
  const Late = lazyComponent(async () => ({ Late: () => <p>here</p> }), 'Late');
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  expect(await screen.findByText('here')).toBeInTheDocument();
});

it('draws at once what was loaded ahead', async () => {
  const Ahead = lazyComponent(async () => ({ Ahead: () => <p>here</p> }), 'Ahead');
  await Ahead.load();
  const Waiting = vi.fn(() => null);
  render(
    <Suspense fallback={<Waiting />}>
      <Ahead />
    </Suspense>,
  );
  expect(screen.getByText('here')).toBeInTheDocument();
  expect(Waiting).not.toHaveBeenCalled();
});

it('loads a module once, ahead or when it is drawn', async () => {
  const load = vi.fn(async () => ({ Once: () => <p>here</p> }));
  const Once = lazyComponent(load, 'Once');
  await Promise.all([Once.load(), Once.load()]);
  render(
    <Suspense>
      <Once />
    </Suspense>,
  );
  expect(screen.getByText('here')).toBeInTheDocument();
  expect(load).toHaveBeenCalledOnce();
});

it('loads one module at a time, and the next one after a failure too', async () => {
  const log: string[] = [];
  const load = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve));
    log.push(`${name} ends`);
    if (name === 'broken') throw new Error('it is broken');
    return name;
  };
  const broken = loadInTurn(load('broken'));
  const whole = loadInTurn(load('whole'));
  await expect(broken).rejects.toThrow('it is broken');
  expect(await whole).toBe('whole');
  expect(log).toEqual(['broken begins', 'broken ends', 'whole begins', 'whole ends']);
});

it('reloads the page once what is on its way has come, and begins nothing after that', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  // What is loaded after a reload never comes, so that the queue is one of its own.
  vi.resetModules();
  const { loadInTurn, reloadPage } = await import('./lazy-component');
  let come = () => {};
  const ahead = loadInTurn(() => new Promise<void>((resolve) => (come = resolve)));
  reloadPage();
  const late = vi.fn(async () => {});
  void loadInTurn(late);
  await new Promise((resolve) => setTimeout(resolve));
  expect(reload).not.toHaveBeenCalled();
  come();
  await ahead;
  await new Promise((resolve) => setTimeout(resolve));
  expect(reload).toHaveBeenCalledOnce();
  expect(late).not.toHaveBeenCalled();
});
