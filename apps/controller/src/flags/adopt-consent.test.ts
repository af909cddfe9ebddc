import { expect, test } from "vitest";
import { adoptConsents } from "./adopt-consent.ts";

test("names a Service or a Node and what it adopts; an id may contain equals signs and slashes", () => {
  const consents = adoptConsents.parse("shop/web=lb-1, w-1.example=arn:aws:elb/x=y");
  expect([...consents]).toEqual([
    ["shop/web", "lb-1"],
    ["w-1.example", "arn:aws:elb/x=y"],
  ]);
  expect(adoptConsents.format(consents)).toBe("shop/web=lb-1,w-1.example=arn:aws:elb/x=y");
  expect(adoptConsents.parse("none").size).toBe(0);
});

test.each(["shop/web", "shop/web=", "=lb-1", "a/b/c=lb-1", "Shop/web=lb 1", "shop/web=a,"])(
  "%j is refused",
  (text) => {
    expect(() => adoptConsents.parse(text)).toThrow(/must be Services or Nodes/);
  },
);
