import { expect, it } from "vitest";
import { settingsFor } from "./palette-settings.ts";

const ENTRIES = ["Dark theme", "Light theme", "Times in UTC", "Local times", "Compact rows"].map(
  (label) => ({ label, isSet: false, set: () => undefined }),
);

it.each<[string, readonly string[], boolean]>([
  ["", [], false],
  ["d", [], false],
  ["da", ["Dark theme"], false],
  ["dark", ["Dark theme"], true],
  ["theme", ["Dark theme", "Light theme"], true],
  ["LIGHT theme", ["Light theme"], true],
  ["utc", ["Times in UTC"], true],
  ["times loc", ["Local times"], false],
  ["ark", [], false],
])("%j sets", (text, labels, isWhole) => {
  const found = settingsFor(text, ENTRIES);
  expect(found.entries.map(({ label }) => label)).toEqual(labels);
  expect(found.isWhole).toBe(isWhole);
});
