import { expect, it } from "vitest";
import fr from "../../../messages/fr.json" with { type: "json" };
import { catalogOf, versionOf } from "./catalogs.ts";

it("no two messages have one key: reword one of them if this fails", () => {
  expect(Object.keys(catalogOf("fr") ?? {})).toHaveLength(Object.keys(fr).length);
});

it("English has no catalog, and each of the others a version of its own", () => {
  expect(catalogOf("en")).toBeUndefined();
  expect(versionOf("fr")).toMatch(/^[0-9a-f]{12}$/);
  expect(versionOf("fr")).not.toBe(versionOf("ja"));
});
