import { Component, type ReactNode } from 'react';
import { Problem } from '../ui/problem.tsx';

interface Props {
  children: ReactNode;
  path?: string;
}

interface State {
  failedAt: number | null;
  /** Whether the browser had no network then. */
  isOffline: boolean;
  path: string | undefined;
}

/**
 * Shows an error with a retry, which reloads the page, when a page throws while rendering or its code cannot be fetched
 * (after a release the old file is gone). Another `path` is tried again. A class because React offers no hook for this.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedAt: null, isOffline: false, path: this.props.path };

  static getDerivedStateFromError(): Pick<State, 'failedAt' | 'isOffline'> {
    return { failedAt: Date.now(), isOffline: !navigator.onLine };
  }

  override componentDidMount(): void {
    window.addEventListener('online', this.#onOnline);
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.#onOnline);
  }

  #onOnline = () => {
    if (this.state.failedAt !== null && this.state.isOffline) window.location.reload();
  };

  static getDerivedStateFromProps({ path }: Props, state: State): State | null {
    return path === state.path ? null : { failedAt: null, isOffline: false, path };
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <div className="grid min-h-[70dvh] place-items-center">
        <Problem
          title="This page could not be shown"
          text={
            this.state.isOffline
              ? 'There is no network. The page loads when it is back.'
              : 'An error occurred on this page. Reload it to try again.'
          }
          since={this.state.failedAt}
          onRetry={() => window.location.reload()}
        />
      </div>
    );
  }
}
