import { afterEach, expect, it } from "vitest";
import { recordedTexts } from "./recorded.ts";
import { type Catalog, speak, t } from "./text.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

/** As a catalog has values. */
const [FIRST, SECOND] = ["0", "1"].map((at) => ["$", "{", at, "}"].join(""));
const FRENCH: Catalog = {
  [`${FIRST} (of ${SECOND}) is full`]: `${FIRST} (de ${SECOND}) est plein`,
  "it is full": "c’est plein",
};

const said = recordedTexts([
  () => t`it is full`,
  ([table, owner]) => t`${table} (of ${owner}) is full`,
]);

it("a recorded sentence is said in its reader's language, with the values that it was recorded with", () => {
  speak({ language: "fr", catalogOf: () => FRENCH });
  expect(said("it is full")).toBe("c’est plein");
  expect(said("table 7 (of shop) is full")).toBe("table 7 (de shop) est plein");
});

it.each(["nobody says this", "it is fully booked", "table 7 of shop is full"])(
  "%s: what none of the texts says stays as it is",
  (recorded) => {
    speak({ language: "fr", catalogOf: () => FRENCH });
    expect(said(recorded)).toBeUndefined();
  },
);

it("in English nothing is looked for", () => {
  expect(said("it is full")).toBeUndefined();
});
