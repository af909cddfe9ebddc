import { expect, it } from "vitest";
import { takeoverUrl } from "./takeover-url.ts";

it.each([
  ["", { list: "waiting", text: "" }],
  ["?view=adopted&q=shop%2F", { list: "adopted", text: "shop/" }],
  ["?view=reported", { list: "reported", text: "" }],
] as const)("the address %s is a view and back", (address, view) => {
  const read = takeoverUrl.parse(new URLSearchParams(address));
  expect(read).toEqual({ view, dropped: [] });
  expect(takeoverUrl.format(read.view)).toBe(address);
});

it("drops what it does not know, and says so", () => {
  const { view, dropped } = takeoverUrl.parse(new URLSearchParams("?view=old&state=stuck"));
  expect(view.list).toBe("waiting");
  expect(dropped).toEqual(["old", "state"]);
});
