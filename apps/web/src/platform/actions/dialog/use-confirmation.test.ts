import { expect, it } from "vitest";
import { requestIds } from "./use-confirmation.ts";

it("repeating a request reuses its id until the request is over", () => {
  let made = 0;
  const ids = requestIds(() => `id-${++made}`);
  expect([ids.of("hold"), ids.of("hold"), ids.of("hold longer")]).toEqual(["id-1", "id-1", "id-2"]);
  ids.renew();
  expect(ids.of("hold")).toBe("id-3");
});
