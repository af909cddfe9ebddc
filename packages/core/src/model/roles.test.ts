import { expect, it } from "vitest";
import { ROLES, roleIncludes } from "./roles.ts";

it("each role includes those before it and none after", () => {
  const table = ROLES.map((role) => ROLES.map((needed) => roleIncludes(role, needed)));
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});
