import { expect, it } from "vitest";
import { deletionGuard } from "./kinds.ts";

it.each(["5,10%,10m", "0,0%,30s", "1,100%,1h30m", "7,5%,1h0m20s", "3,1%,2h", "2,2%,250ms", "off"])(
  "a guard of %s is shown as it was written",
  (text) => {
    expect(deletionGuard.format(deletionGuard.parse(text))).toBe(text);
  },
);
