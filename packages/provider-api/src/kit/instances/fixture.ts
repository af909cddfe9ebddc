import type { Instances } from "../../instances.ts";
import { ENDLESS_FAULTS } from "../endless.ts";

/** What a provider's cloud can be made to do to every request, until it is undone. */
export const CLOUD_FAULTS = [
  "unavailable",
  "unauthorized",
  "throttled",
  /** Answers that are no JSON, or of another shape. */
  "garbage",
  /** 404 on everything: a wrong project or a proxy's page, never a proof of absence. */
  "nothingFound",
  ...ENDLESS_FAULTS,
] as const;
export type CloudFault = (typeof CLOUD_FAULTS)[number];

/** A provider on a cloud of its own that is empty at first; one for each case. */
export interface InstancesFixture {
  /** The scheme of its provider IDs. */
  readonly provider: string;
  /** What the cloud has for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly instances: Instances;
  /** Answers the provider ID that the cloud's instance has. */
  create(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  /** Where the cloud has power states. */
  stop?(name: string): Promise<void>;
  /** A provider ID of its own scheme that no instance can have. */
  readonly malformedProviderID?: string;
  /** The faults that it can play; the answer undoes it. */
  readonly faults: { readonly [Fault in CloudFault]?: () => Promise<() => Promise<void>> };
}

/** Those that a fixture may lack. */
export type InstancesNeed = CloudFault | "stop" | "malformedProviderID";
