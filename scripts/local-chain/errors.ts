import { StartError } from '../steps/start-error.mjs';

const ALTERNATIVE = 'Set SOLANA_RPC_URL to use another cluster.';

/** Reports in one line why the local chain can't serve, and the alternative. */
export class LocalChainError extends StartError {
  /** `unsupported` where the VM has no build for this system. */
  readonly code: 'unsupported' | undefined;

  /** `reason` completes the sentence "The local chain …". */
  constructor(reason: string, options?: ErrorOptions & { code?: 'unsupported' }) {
    super(`The local chain ${reason.replace(/\.$/, '')}. ${ALTERNATIVE}`, options);
    this.code = options?.code;
  }
}
