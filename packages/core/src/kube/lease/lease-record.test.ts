import { expect, it } from "vitest";
import { claimedLease } from "./lease-record.ts";

const CLAIM = {
  namespace: "kube-system",
  name: "ccm",
  identity: "one",
  knownTransitions: 0,
  now: 0,
};

it.each([
  [15_000, 15],
  [1_900, 2],
  [1_000, 1],
])("a Lease of %d ms is kept from others for %d s, never for less", (leaseDurationMs, seconds) => {
  const lease = claimedLease(undefined, { ...CLAIM, leaseDurationMs });
  expect(lease.spec?.leaseDurationSeconds).toBe(seconds);
});
