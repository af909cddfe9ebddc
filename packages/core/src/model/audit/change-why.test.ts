import { afterEach, describe, expect, it } from "vitest";
import { speak } from "../language/text.ts";
import type { Reason } from "../reason.ts";
import { changeWhy, changeWhyAgain, saysReason } from "./change-why.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

const GONE: Reason = { code: "ObjectGone" };
const ASKED: Reason = { code: "PersonAsked", by: "ana@example.test", why: "INC-12", intentId: "i" };
/** The placeholders in a catalog. */
const [FIRST, SECOND] = ["0", "1"].map((at) => ["$", "{", at, "}"].join(""));
const FRENCH = {
  "it is no longer in the cluster": "il n’est plus dans le cluster",
  [`${FIRST} Requested by ${SECOND}.`]: `${FIRST} Demandé par ${SECOND}.`,
};

it("an entry gives the reason of its change, and names who requested it unless the reason does", () => {
  expect(changeWhy(GONE)).toBe("It is no longer in the cluster.");
  expect(changeWhy(GONE, "ana")).toBe("It is no longer in the cluster. Requested by ana.");
  expect(changeWhy(ASKED, "ana")).toBe("Ana@example.test asked for it: INC-12.");
});

describe("an entry that is read again", () => {
  it.each([changeWhy(GONE), changeWhy(GONE, "ana")])("%s", (why) => {
    expect(saysReason(why, GONE)).toBe(true);
    expect(saysReason(why, ASKED)).toBe(false);
  });

  it("does not have the reason if it says anything more", () => {
    expect(saysReason("It is no longer in the cluster. Nobody knows why.", GONE)).toBe(false);
  });

  it("is shown in its reader's language", () => {
    speak({ language: "fr", catalogOf: () => FRENCH });
    expect(changeWhyAgain("It is no longer in the cluster.", GONE)).toBe(
      "Il n’est plus dans le cluster.",
    );
    expect(changeWhyAgain("It is no longer in the cluster. Requested by ana.", GONE)).toBe(
      "Il n’est plus dans le cluster. Demandé par ana.",
    );
  });
});
