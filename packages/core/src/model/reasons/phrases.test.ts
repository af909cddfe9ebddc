import { afterEach, describe, expect, it } from "vitest";
import { speak } from "../language/text.ts";
import { type Reason, reasonSchema } from "../reason.ts";
import { cause, causeOf } from "../sentence.ts";
import { phrased } from "./phrases.ts";

/** The placeholder in a catalog. */
const SLOT = ["$", "{0}"].join("");
const CATALOG = {
  [`${SLOT} is not paused`]: `${SLOT} は一時停止していません`,
  [`${SLOT} reports no address for its load balancer`]: `${SLOT} はアドレスを報告していません`,
};
const PAUSED_NOT: Reason = {
  code: "NothingToDo",
  ...phrased("what", "notPaused", "node-controller"),
};

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

function inJapanese(): void {
  speak({ language: "ja", catalogOf: () => CATALOG });
}

describe("a phrase", () => {
  it("is recorded in English with its code and values, whatever the reader's language", () => {
    const recorded = {
      code: "NothingToDo",
      what: "node-controller is not paused",
      phrase: { code: "notPaused", values: ["node-controller"] },
    };
    expect(PAUSED_NOT).toEqual(recorded);
    inJapanese();
    expect({ code: "NothingToDo", ...phrased("what", "notPaused", "node-controller") }).toEqual(
      recorded,
    );
    expect(phrased("what", "serviceNotHeld").phrase).toEqual({ code: "serviceNotHeld" });
  });

  it("is translated for its reader, and in English as it was recorded", () => {
    const kept: unknown = JSON.parse(JSON.stringify(PAUSED_NOT));
    const read = reasonSchema.parse(kept);
    expect(cause(read)).toBe("Node-controller is not paused");
    inJapanese();
    expect(causeOf(read)).toBe("node-controller は一時停止していません");
  });

  it.each<[string, object]>([
    ["an earlier release recorded", {}],
    ["a newer release recorded", { phrase: { code: "notKnownYet", values: ["x"] } }],
    ["lacks a value", { phrase: { code: "notPaused" } }],
  ])("one that %s is shown as it was recorded", (_, more) => {
    inJapanese();
    const read = reasonSchema.parse({ code: "NothingToDo", what: "it is not paused", ...more });
    expect(causeOf(read)).toBe("it is not paused");
  });
});

describe("a refusal because of another reason", () => {
  const REFUSED = {
    code: "WishRefused",
    problem: "sandbox reports no address for its load balancer",
  };

  it("is rendered from that reason", () => {
    const behind = { code: "BalancerAddressMissing", provider: "sandbox" };
    const read = reasonSchema.parse({ ...REFUSED, behind });
    expect(causeOf(read)).toBe(REFUSED.problem);
    inJapanese();
    expect(causeOf(read)).toBe("sandbox はアドレスを報告していません");
  });

  it("is as it was recorded if that reason cannot be read", () => {
    inJapanese();
    const read = reasonSchema.parse({ ...REFUSED, behind: { code: "BalancerAddressMissing" } });
    expect(causeOf(read)).toBe(REFUSED.problem);
  });
});
