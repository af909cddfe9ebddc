// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { createQueryClient } from "./api-provider.tsx";

it.each([
  ["reads the user's role again", "FORBIDDEN", 1],
  ["leaves it", "CONFLICT", 0],
])("a change that is refused %s after %s", async (_what, code, times) => {
  const readViewer = vi.fn();
  const client = createQueryClient(readViewer);
  const refusal = Object.assign(new Error("Refused."), { data: { code } });
  const change = client.getMutationCache().build(client, {
    mutationFn: () => Promise.reject(refusal),
  });
  await expect(change.execute(undefined)).rejects.toBe(refusal);
  expect(readViewer).toHaveBeenCalledTimes(times);
});
