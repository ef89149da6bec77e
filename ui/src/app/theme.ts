import { useEffect } from 'react';
import { useSnapshot } from '@/state/snapshot';

/** Forces the theme that the user chose; the system's applies without one. */
export function useTheme(): void {
  const theme = useSnapshot((state) => state.settings.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}
