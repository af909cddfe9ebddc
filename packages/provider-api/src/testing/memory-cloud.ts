import type { CallContext } from "../call-context.ts";
import { ProviderError, type ProviderErrorCode } from "../errors.ts";

export interface MemoryFault {
  readonly code: ProviderErrorCode;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** A cloud in memory that can fail every request, or lose the next answer to one operation. */
export class MemoryCloud {
  readonly provider = "memory";
  fault: MemoryFault | undefined;
  /** The operation whose next answer is lost. */
  lost: string | undefined;

  /** Makes one request, which the faults may affect; its work is done even if its answer is lost. Reads are named `GET`. */
  async request<T>(context: CallContext, operation: string, work: () => T): Promise<T> {
    const call = { operation, target: "one", mutates: operation !== "GET" };
    return await context.call(call, async () => {
      if (this.fault !== undefined) throw this.failed(operation, { status: 500, ...this.fault });
      const value = work();
      if (this.lost !== operation) return { value, status: 200 };
      this.lost = undefined;
      throw this.failed(operation, { code: "Unavailable" });
    });
  }

  failed(operation: string, { code, ...more }: MemoryFault): ProviderError {
    return new ProviderError(code, "it failed", { provider: this.provider, operation, ...more });
  }

  /** Makes every request fail this way, until the returned function undoes it. */
  async break(fault: MemoryFault): Promise<() => Promise<void>> {
    this.fault = fault;
    return async () => {
      this.fault = undefined;
    };
  }
}
