import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";

/** The disks of a cloud (spec/50, spec/60 §7). CSI volumes are never its business. */
export interface Volumes {
  /**
   * The disk behind a PersistentVolume's source, the object at `spec` without its general fields: undefined for any source
   * that is not this cloud's own type, CSI included. Pure.
   */
  identify(spec: Readonly<Record<string, unknown>>): string | undefined;
  /**
   * Looks many disks up with as few requests as it can. Every id has an answer; one bad id never fails the others.
   * Throws only when the signal aborts.
   */
  describe(
    ids: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, VolumeLookup>>;
  /**
   * Makes a disk at least so large; succeeds when it is already. Throws ProviderError, `Unsupported` when it cannot.
   * Undefined for a cloud whose disks do not grow.
   */
  grow?(id: string, sizeGiB: number, context: CallContext): Promise<VolumeFacts>;
}

export type VolumeLookup =
  | { readonly kind: "found"; readonly facts: VolumeFacts; readonly requestId?: string }
  | { readonly kind: "absent"; readonly requestId?: string }
  | { readonly kind: "failed"; readonly error: ProviderError };

export interface VolumeFacts {
  readonly id: string;
  /** As the cloud says them: several zones are joined by `__`; empty when it has none. */
  readonly zone: string;
  readonly region: string;
  /** Further labels that the cloud gives a disk. */
  readonly additionalLabels: Readonly<Record<string, string>>;
  readonly sizeGiB: number;
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
}
