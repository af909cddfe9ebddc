import { expect, it } from "vitest";
import { presentations } from "./states.ts";

it("a presentation table is translated each time that it is read", () => {
  let word = "Held";
  const table = presentations({
    held: { shape: "square-bars", tone: "held", label: () => word, help: () => `${word}.` },
  });
  const [shape, tone] = ["square-bars", "held"];
  expect(table.held).toEqual({ shape, tone, label: "Held", help: "Held." });
  word = "Gehalten";
  expect([table.held.label, table.held.help]).toEqual(["Gehalten", "Gehalten."]);
});
