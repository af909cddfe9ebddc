import { afterEach, expect, it } from "vitest";
import { recordedTexts } from "./recorded.ts";
import { type Catalog, speak, t } from "./text.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

/** The placeholders in a catalog. */
const [FIRST, SECOND] = ["0", "1"].map((at) => ["$", "{", at, "}"].join(""));
const FRENCH: Catalog = {
  [`${FIRST} (of ${SECOND}) is full`]: `${FIRST} (de ${SECOND}) est plein`,
  "it is full": "c’est plein",
};

const said = recordedTexts([
  () => t`it is full`,
  ([table, owner]) => t`${table} (of ${owner}) is full`,
]);

it("a recorded sentence is translated for its reader, with the values with which it was recorded", () => {
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

it("in English no lookup is needed", () => {
  expect(said("it is full")).toBeUndefined();
});
