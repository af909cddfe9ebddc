import type { Election } from "@cloudwright/core/kube/lease/election";
import { createManualClock } from "@cloudwright/core/kube/testing/manual-clock";
import { expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { fencesOf } from "./fences.ts";

const NO_ELECTION: Election = {
  isLeader: () => false,
  mayRenew: () => true,
  leader: "",
  term: undefined,
  renewalAgeMs: () => undefined,
  stop: async () => undefined,
};
const NONE = { election: undefined, migration: undefined };
const LEADER: Election = { ...NO_ELECTION, isLeader: () => true };

function processWith(flags: Partial<ReturnType<typeof defaults>> = {}) {
  const clock = createManualClock();
  return { flags: { ...defaults(), ...flags }, clock, identity: "host_1" };
}

/** Returns whether node (under the main Lease) and Services (under the migration's) may be written. */
function mayWrite(
  flags: Partial<ReturnType<typeof defaults>>,
  elections: { election?: Election; migration?: Election },
): readonly [boolean, boolean] {
  const state = { ...NONE, ...elections };
  const fences = fencesOf(processWith(flags), state, { migrated: ["service-lb-controller"] });
  expect(fences.main()).toBe(fences.of("cloud-node-controller")());
  return [fences.main(), fences.of("service-lb-controller")()];
}

it("writes under a Lease only while that Lease is held", () => {
  expect(mayWrite({}, {})).toEqual([false, false]);
  expect(mayWrite({}, { election: LEADER })).toEqual([true, false]);
  expect(mayWrite({}, { election: LEADER, migration: NO_ELECTION })).toEqual([true, false]);
  expect(mayWrite({}, { election: NO_ELECTION, migration: LEADER })).toEqual([false, true]);
  expect(mayWrite({}, { election: LEADER, migration: LEADER })).toEqual([true, true]);
});

it("writes without an election, and never in a dry run", () => {
  expect(mayWrite({ "leader-elect": false }, {})).toEqual([true, true]);
  const both = { election: LEADER, migration: LEADER };
  expect(mayWrite({ "dry-run": true }, both)).toEqual([false, false]);
});

it("renews no Lease once one of them is too old for it", () => {
  const late: Election = { ...LEADER, mayRenew: () => false };
  const mayElect = (elections: { election?: Election; migration?: Election }) =>
    fencesOf(processWith(), { ...NONE, ...elections }, { migrated: [] }).election();
  expect(mayElect({})).toBe(true);
  expect(mayElect({ election: NO_ELECTION, migration: LEADER })).toBe(true);
  expect(mayElect({ election: late })).toBe(false);
  expect(mayElect({ election: LEADER, migration: late })).toBe(false);
});

it("reports the main Lease that it holds, and until when, only while it may write", () => {
  const held = (flags: Partial<ReturnType<typeof defaults>>, election?: Election) => {
    const process = processWith(flags);
    const lease = fencesOf(process, { ...NONE, election }, { migrated: [] }).held();
    return lease && { ...lease, validUntil: lease.validUntil - process.clock.now() };
  };
  const term = { identity: "host_2", leaseTransitions: 7 };
  const leader: Election = { ...LEADER, term, renewalAgeMs: () => 2_000 };
  expect(held({}, leader)).toEqual({ holder: "host_2", term: 7, validUntil: 10_000 });
  expect(held({}, NO_ELECTION)).toBeUndefined();
  expect(held({ "dry-run": true }, leader)).toBeUndefined();
  const alone = { holder: "host_1", term: 0, validUntil: 60_000 };
  expect(held({ "leader-elect": false })).toEqual(alone);
});
