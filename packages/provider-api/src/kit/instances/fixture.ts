import type { Instances } from "../../instances.ts";
import { ENDLESS_FAULTS } from "../endless.ts";

/** Faults of a provider's cloud that affect every request until they are undone. */
export const CLOUD_FAULTS = [
  "unavailable",
  "unauthorized",
  "throttled",
  /** Answers that are not JSON, or have another shape. */
  "garbage",
  /** 404 for everything: a wrong project or a proxy's page, never a proof of absence. */
  "nothingFound",
  ...ENDLESS_FAULTS,
] as const;
export type CloudFault = (typeof CLOUD_FAULTS)[number];

/** A provider with its own cloud, which is empty at first; one per case. */
export interface InstancesFixture {
  /** The scheme of the provider's IDs. */
  readonly provider: string;
  /** How long the cloud may take for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly instances: Instances;
  /** Creates an instance in the cloud; returns its provider ID. */
  create(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  /** Only where the cloud has power states. */
  stop?(name: string): Promise<void>;
  /** A provider ID with the provider's scheme that no instance can have. */
  readonly malformedProviderID?: string;
  /** The faults that it can cause; the returned function undoes the fault. */
  readonly faults: { readonly [Fault in CloudFault]?: () => Promise<() => Promise<void>> };
}

/** The needs that a fixture may lack. */
export type InstancesNeed = CloudFault | "stop" | "malformedProviderID";
