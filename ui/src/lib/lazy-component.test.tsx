import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { lazyComponent } from './lazy-component';

it('waits for an export that has no value yet', async () => {
  let looks = 0;
  const Late = lazyComponent(async () => {
    looks += 1;
    // As a module is whose evaluation has not ended.
    return { Late: looks < 3 ? (undefined as never) : () => <p>here</p> };
  }, 'Late');
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  expect(await screen.findByText('here')).toBeInTheDocument();
  expect(looks).toBe(3);
});
