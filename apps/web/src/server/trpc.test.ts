import type { Database } from "@cloudwright/store/database/database";
import { expect, it } from "vitest";
import { answered, router } from "./trpc.ts";

it("escapes invisible characters for pages, so that no cloud name can reverse a line", async () => {
  const at = new Date(0);
  const names = router({
    get: answered.query(() => ({
      rows: [{ name: "web\u202egnp.exe", at }],
      "k\u0007": "Düsseldorf",
    })),
  });
  const caller = names.createCaller({
    headers: new Headers(),
    requestId: "test",
    ledger: undefined as unknown as Database,
    signedIn: () => Promise.resolve(undefined),
  });
  expect(await caller.get()).toEqual({
    rows: [{ name: "web\\u202egnp.exe", at }],
    "k\\u0007": "Düsseldorf",
  });
});
