import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it, vi } from 'vitest';
import { BackendContext } from '@/backend/backend';
import { MenuPopup } from '@/components/Menu';
import { useAuth } from '@/state/sign-in/auth';
import { sampleView } from '@/test-support/auth';
import { stubBackend } from '@/test-support/backend';
import { demoServer } from '@/test-support/servers';
import { AccountMenu } from './AccountMenu';

const SERVER = { ...demoServer(), id: 'mcp-json:linear' };

beforeAll(() => MenuPopup.load());

it('chooses who is signed in where there are several, and leads to all about it', async () => {
  const user = userEvent.setup();
  const view = sampleView(SERVER.id, 'https://mcp.linear.app/mcp');
  const chooseIdentity = vi.fn(async () => view);
  const [first] = view.identities;
  if (!first) throw new Error('no identity');
  const identities = [first, { ...first, name: 'reader' }];
  useAuth.setState({ views: { [SERVER.id]: { ...view, identities, identity: first.name } } });
  render(
    <BackendContext value={stubBackend({ chooseIdentity })}>
      <AccountMenu server={SERVER} />
    </BackendContext>,
  );
  await user.click(screen.getByRole('button'));
  expect(screen.getByRole('menuitem', { name: new RegExp(`^● ${first.name}`) })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await user.click(screen.getByRole('menuitem', { name: /^reader/ }));
  expect(chooseIdentity).toHaveBeenCalledExactlyOnceWith(SERVER.id, 'reader');
});

it('is not there where nobody signs in', () => {
  useAuth.setState({ views: {} });
  render(
    <BackendContext value={stubBackend({})}>
      <AccountMenu server={SERVER} />
    </BackendContext>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});
