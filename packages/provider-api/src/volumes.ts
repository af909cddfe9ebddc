import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";

/** The disks of a cloud (spec/50, spec/60 §7). CSI volumes are out of scope. */
export interface Volumes {
  /**
   * Returns the disk of a PersistentVolume's source, which is its `spec` without the general fields. Undefined for any source that is not
   * this cloud's own type, CSI included. Pure.
   */
  identify(spec: Readonly<Record<string, unknown>>): string | undefined;
  /**
   * Looks up many disks with as few requests as possible. Every id has an answer; one bad id never fails the others. Throws only when the
   * signal aborts.
   */
  describe(
    ids: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, VolumeLookup>>;
  /**
   * Grows a disk to at least this size; succeeds if it already has it. Throws ProviderError, `Unsupported` when it cannot. Absent for a
   * cloud whose disks do not grow.
   */
  grow?(id: string, sizeGiB: number, context: CallContext): Promise<VolumeFacts>;
}

export type VolumeLookup =
  | { readonly kind: "found"; readonly facts: VolumeFacts; readonly requestId?: string }
  | { readonly kind: "absent"; readonly requestId?: string }
  | { readonly kind: "failed"; readonly error: ProviderError };

export interface VolumeFacts {
  readonly id: string;
  /** The cloud's own value: several zones are joined by `__`; empty if the disk has none. */
  readonly zone: string;
  readonly region: string;
  /** Further labels that the cloud assigns to a disk. */
  readonly additionalLabels: Readonly<Record<string, string>>;
  readonly sizeGiB: number;
  /** When the cloud reported this, milliseconds since the epoch. */
  readonly asOf: number;
}
