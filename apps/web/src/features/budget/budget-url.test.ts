import { expect, it } from "vitest";
import { budgetUrl } from "./budget-url.ts";

it.each(["", "?range=day", "?use=table", "?range=day&use=table"])(
  "%s survives the way there and back",
  (search) => {
    const { view, dropped } = budgetUrl.parse(new URLSearchParams(search));
    expect(budgetUrl.format(view)).toBe(search);
    expect(dropped).toEqual([]);
  },
);

it("drops what it does not know and says so", () => {
  const { view, dropped } = budgetUrl.parse(new URLSearchParams("range=year&use=pie&size=9"));
  expect(view).toEqual({ range: "hour", use: "bars" });
  expect(dropped).toEqual(["year", "pie", "size"]);
});
