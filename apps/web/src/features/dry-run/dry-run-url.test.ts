import { expect, it } from "vitest";
import { dryRunFilter, dryRunUrl } from "./dry-run-page.tsx";

const parse = (search: string) => dryRunUrl.parse(new URLSearchParams(search));

it.each(["", "?show=stopped", "?show=all&q=shop%2Fweb&controller=service-lb-controller&peek=r-1"])(
  "%s survives a round trip",
  (search) => {
    expect(dryRunUrl.format(parse(search).view)).toBe(search);
  },
);

it("requests what would change by default, and drops what it does not know", () => {
  expect(dryRunFilter(parse("?q=%20").view)).toEqual({
    show: "changes",
    text: undefined,
    controller: undefined,
  });
  expect(parse("?show=some&controller=mine&size=1").dropped).toEqual(["some", "mine", "size"]);
});
