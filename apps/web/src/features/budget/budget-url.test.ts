import { expect, it } from "vitest";
import { budgetUrl } from "./budget-url.ts";

const STRETCH = "from=2026-11-24T14%3A00%3A00.000Z&to=2026-11-24T15%3A00%3A00.000Z";

it.each(["", "?range=day", "?use=table", "?range=day&use=table", `?${STRETCH}&use=table`])(
  "%s survives a round trip",
  (search) => {
    const { view, dropped } = budgetUrl.parse(new URLSearchParams(search));
    expect(budgetUrl.format(view)).toBe(search);
    expect(dropped).toEqual([]);
  },
);

it("drops what it does not know and says so", () => {
  const { view, dropped } = budgetUrl.parse(
    new URLSearchParams("range=year&use=pie&size=9&from=now"),
  );
  expect(view).toEqual({ range: "hour", between: undefined, use: "bars" });
  expect(dropped).toEqual(["year", "pie", "size", "from"]);
});
