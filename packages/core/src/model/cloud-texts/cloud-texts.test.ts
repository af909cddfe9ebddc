import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Catalog, speak } from "../language/text.ts";
import { causeOf } from "../sentence.ts";
import { cloudText, explanationText, fieldText, ownerText, progressText } from "./cloud-texts.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

/** The placeholders in a catalog. */
const [FIRST, SECOND, THIRD, FOURTH] = ["0", "1", "2", "3"].map((at) =>
  ["$", "{", at, "}"].join(""),
);
const FRENCH: Catalog = {
  [`“${FIRST}”`]: `« ${FIRST} »`,
  [`no complete answer arrived within ${FIRST}`]: `aucune réponse complète en ${FIRST}`,
  "SCTP is not supported": "SCTP n’est pas pris en charge",
  [`no answer came: ${FIRST}`]: `aucune réponse n’est arrivée : ${FIRST}`,
  [`${FIRST} is ${SECOND}`]: `${FIRST} est ${SECOND}`,
  "being deleted": "en cours de suppression",
  [`the Service ${FIRST}`]: `le Service ${FIRST}`,
  [`annotation ${FIRST}`]: `annotation « ${FIRST} »`,
  "found by its provider ID": "trouvée par son provider ID",
  [`${FIRST} failed on ${SECOND}: ${THIRD}${FOURTH}`]: `${FIRST} a échoué à ${SECOND} : ${THIRD}${FOURTH}`,
};

describe("in another language", () => {
  beforeEach(() => speak({ language: "fr", catalogOf: () => FRENCH }));

  it("a provider's message is translated, with or without a full stop", () => {
    expect(cloudText("SCTP is not supported")).toBe("SCTP n’est pas pris en charge");
    expect(cloudText("no answer came: connect ECONNREFUSED.")).toBe(
      "aucune réponse n’est arrivée : « connect ECONNREFUSED »",
    );
    expect(explanationText("found by its provider ID")).toBe("trouvée par son provider ID");
    expect(ownerText("the Service shop/web")).toBe("le Service shop/web");
    expect(fieldText("annotation example.org/class")).toBe("annotation « example.org/class »");
  });

  it("a message of ours within another one is translated too, without quotes", () => {
    expect(cloudText("no answer came: no complete answer arrived within 5 s")).toBe(
      "aucune réponse n’est arrivée : aucune réponse complète en 5 s",
    );
  });

  it("a cause quotes the cloud's own answer including the closing mark, however long it is", () => {
    const call = { provider: "sandbox", operation: "GET /v1/instances" } as const;
    const failed = { ...call, message: "The volume is attached." };
    expect(causeOf({ ...failed, code: "ProviderUnavailable" })).toBe(
      "sandbox a échoué à GET /v1/instances : « The volume is attached »",
    );
    const long = causeOf({ ...failed, code: "ProviderUnavailable", message: "x".repeat(400) });
    expect(long).toMatch(/^sandbox a échoué à GET \/v1\/instances : « x+… »$/);
    expect(long.length).toBeLessThanOrEqual(200);
  });

  it("the cloud's own answer stays as it is", () => {
    expect(cloudText("The volume is attached.")).toBe("The volume is attached.");
  });

  it("the cloud's progress is translated if it is one of our texts, and otherwise keeps the cloud's own word", () => {
    expect(progressText("lb-7 is deleting")).toBe("lb-7 est en cours de suppression");
    expect(progressText("lb-7 is PENDING_UPDATE")).toBe("lb-7 est PENDING_UPDATE");
    expect(progressText("the disk is being copied")).toBe("the disk is being copied");
  });

  it("a cause contains the provider's message", () => {
    const call = { provider: "sandbox", operation: "GET /v1/instances" } as const;
    expect(
      causeOf({ code: "ProviderUnavailable", ...call, message: "no answer came: ETIMEDOUT." }),
    ).toBe("sandbox a échoué à GET /v1/instances : aucune réponse n’est arrivée : « ETIMEDOUT »");
  });
});

it("in English it stays as it is recorded", () => {
  expect(cloudText("no answer came: ETIMEDOUT.")).toBe("no answer came: ETIMEDOUT.");
  expect(progressText("lb-7 is deleting")).toBe("lb-7 is deleting");
});
