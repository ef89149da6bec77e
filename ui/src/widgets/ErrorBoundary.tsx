import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { copyText } from '@/lib/clipboard';
import { errorReport } from '@/lib/error-report';
import { showError, showNote } from '@/state/notices';

interface Props {
  /** The name of the pane in the report. */
  pane: string;
  /** Closes the pane, where that can be done. */
  onClose?(): void;
  children: ReactNode;
}

interface State {
  failure: { error: unknown; stack: string } | null;
}

/**
 * Keeps an exception while a pane is drawn inside that pane, so that the rest of the window stays
 * usable: without it React takes everything down that was drawn.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error, stack: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    this.setState({ failure: { error, stack: componentStack ?? '' } });
  }

  override render() {
    const { failure } = this.state;
    const { pane, onClose, children } = this.props;
    if (failure === null) return children;
    const copy = () =>
      copyText(errorReport(pane, failure.error, failure.stack))
        .then(() => showNote('Copied the report'))
        .catch(showError);
    return (
      <div role="alert">
        <EmptyState
          title="This part of the window could not be drawn."
          action={
            <>
              <Button variant="primary" onPress={() => this.setState({ failure: null })}>
                Draw this pane again
              </Button>
              <Button onPress={() => void copy()}>Copy the report</Button>
              {onClose && <Button onPress={onClose}>Close</Button>}
            </>
          }
        >
          The rest of the window still works.
        </EmptyState>
      </div>
    );
  }
}
