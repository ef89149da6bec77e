import { Component, type ReactNode } from 'react';

interface Props {
  /** The content in place of a form that cannot be drawn. */
  fallback: ReactNode;
  children: ReactNode;
}

/** A schema that the form cannot express is edited as JSON instead of breaking the window. */
export class FormBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
