import { Component, type ReactNode } from 'react';
import { Problem } from '../ui/problem.tsx';

/**
 * Catches what a page throws while rendering, and a page's code that could not be fetched (after a release its old file
 * is gone): the visitor is told, and a retry loads the page afresh.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failedAt: number | null }> {
  override state: { failedAt: number | null } = { failedAt: null };

  static getDerivedStateFromError(): { failedAt: number } {
    return { failedAt: Date.now() };
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <div className="grid min-h-[70dvh] place-items-center">
        <Problem
          title="This page could not be shown"
          text="Something went wrong in the page itself. Loading it again usually helps."
          since={this.state.failedAt}
          onRetry={() => window.location.reload()}
        />
      </div>
    );
  }
}
