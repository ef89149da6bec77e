import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { lazyComponent, loadInTurn } from './lazy-component';

it('draws the export that was asked for', async () => {
  const Late = lazyComponent(async () => ({ Late: () => <p>here</p> }), 'Late');
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  expect(await screen.findByText('here')).toBeInTheDocument();
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
