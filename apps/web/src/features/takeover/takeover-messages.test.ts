import type { AdoptionReason } from "@cloudwright/core/model/reasons/adoption-refusal";
import { describe, expect, it } from "vitest";
import { waitingSentence } from "../../platform/wording/overview-messages.ts";
import {
  adoptedByText,
  consentText,
  matches,
  resourceOf,
  takeoverSentence,
  whyText,
} from "./takeover-messages.ts";

const NOTHING = {
  waiting: { balancers: 0, routes: 0 },
  adopted: { proofs: 0, consent: 0, flag: 0 },
  proven: 0,
  reported: 0,
};
const UNOWNED: AdoptionReason = {
  code: "BalancerUnowned",
  ...{ provider: "sandbox", id: "lb-1", name: "a1", proofs: ["name"] },
};
const STANDS: AdoptionReason = {
  code: "BalancerStands",
  ...{ provider: "sandbox", id: "lb-2", name: "x", proofs: ["address"] },
};
const ROUTE: AdoptionReason = {
  code: "RouteUnowned",
  ...{ provider: "sandbox", cidr: "10.0.1.0/24", id: "r-1", proofs: ["range"] },
};

describe("the summary", () => {
  it("says first what waits, then what was adopted and how", () => {
    const counts = {
      ...NOTHING,
      waiting: { balancers: 3, routes: 12 },
      adopted: { proofs: 40, consent: 1, flag: 1 },
    };
    expect(takeoverSentence(counts)).toBe(
      "3 load balancers and 12 routes of an earlier manager are waiting for your consent; 40 were adopted by two proofs; 2 were adopted by consent.",
    );
  });

  it("says that nothing waits if all is done", () => {
    const counts = {
      ...NOTHING,
      adopted: { proofs: 1, consent: 0, flag: 0 },
      proven: 5,
      reported: 1,
    };
    expect(takeoverSentence(counts)).toBe(
      "Nothing is waiting for your consent; 1 was adopted by two proofs; the routes of 5 nodes are kept by two proofs; the routes of 1 node are only reported.",
    );
  });

  it("says that there is nothing of an earlier manager", () => {
    expect(takeoverSentence(NOTHING)).toBe(
      "No load balancer or route of an earlier manager has been found.",
    );
  });

  it("uses the singular for one", () => {
    expect(waitingSentence({ balancers: 0, routes: 1 })).toBe(
      "1 route of an earlier manager is waiting for your consent",
    );
    expect(waitingSentence({ balancers: 0, routes: 0 })).toBeUndefined();
  });
});

describe("what waits", () => {
  it.each([
    [UNOWNED, "load balancer lb-1", /^It has this Service's name, but not the address/],
    [{ ...UNOWNED, proofs: undefined }, "load balancer lb-1", /^It has no owner\.$/],
    [{ ...UNOWNED, proofs: ["name", "address"] }, "load balancer lb-1", /--adopt=report leaves it/],
    [STANDS, "load balancer lb-2", /^It has the address that the Service publishes/],
    [
      ROUTE,
      "route r-1 to 10.0.1.0/24",
      /^It leads to the node's pod range, but not to its machine/,
    ],
  ] as const)("is named with the proof that is missing: %j", (reason, resource, why) => {
    const { what, id, to } = resourceOf(reason as AdoptionReason);
    expect(`${what} ${id}${to}`).toBe(resource);
    expect(whyText({ reason: reason as AdoptionReason, refusal: undefined })).toMatch(why);
  });

  it.each([
    [UNOWNED, undefined, /brings it in line/],
    [STANDS, undefined, /then deletes it/],
    [ROUTE, undefined, /^Replaces it with the node's own/],
    [{ ...ROUTE, proofs: ["machine"] }, undefined, /^Removes it/],
    [UNOWNED, "It has a listener.", /^Nothing: consent alone is not enough/],
  ] as const)("says what consent would do: %j, %s", (reason, refusal, text) => {
    expect(consentText({ reason: reason as AdoptionReason, refusal })).toMatch(text);
  });
});

it("that cannot be adopted says why instead of how it is proven", () => {
  expect(whyText({ reason: UNOWNED, refusal: "It has a listener." })).toBe(
    "Cannot be adopted. It has a listener.",
  );
});

it("that was adopted says how", () => {
  expect(adoptedByText({ by: "proofs", actor: "ctl-1" })).toBe("Two proofs");
  expect(adoptedByText({ by: "consent", actor: "ana" })).toBe("Consent of ana");
  expect(adoptedByText({ by: "flag", actor: "ctl-1" })).toBe("--adopt-consent");
});

it("a row is found by part of its name or id, in any case", () => {
  expect(matches(" SHOP/ ", "shop/web", "lb-1")).toBe(true);
  expect(matches("lb-2", "shop/web", "lb-1")).toBe(false);
  expect(matches("", "shop/web")).toBe(true);
});
