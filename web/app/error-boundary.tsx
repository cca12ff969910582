import { Component, type ReactNode } from 'react';
import { Problem } from '../ui/problem.tsx';

/**
 * Shows an error with a retry, which reloads the page, when a page throws while rendering or its code cannot be fetched
 * (after a release the old file is gone). Another `path` is tried again. A class because React offers no hook for this.
 */
export class ErrorBoundary extends Component<{ children: ReactNode; path?: string }, { failedAt: number | null }> {
  override state: { failedAt: number | null } = { failedAt: null };

  static getDerivedStateFromError(): { failedAt: number } {
    return { failedAt: Date.now() };
  }

  override componentDidUpdate({ path }: { path?: string }): void {
    if (path !== this.props.path && this.state.failedAt !== null) this.setState({ failedAt: null });
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <div className="grid min-h-[70dvh] place-items-center">
        <Problem
          title="This page could not be shown"
          text="An error occurred on this page. Reload it to try again."
          since={this.state.failedAt}
          onRetry={() => window.location.reload()}
        />
      </div>
    );
  }
}
