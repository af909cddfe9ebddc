import type { Database } from "@cloudwright/store/database/database";
import { beforeAll, expect, it, vi } from "vitest";
import type { SignedIn } from "../sign-in/viewer.ts";
import { intentsRouter } from "./intents.ts";

const REQUEST = {
  ...{ id: "01900000-0000-7000-8000-0000000000ff", cluster: "c-1", why: "tried" },
  controller: "cloud-node-lifecycle-controller",
  object: { kind: "Controller", name: "cloud-node-lifecycle-controller" },
};

beforeAll(() => {
  vi.stubEnv("DATABASE_URL", "postgres://nowhere.invalid/none");
  vi.stubEnv("CLOUDWRIGHT_AUTH_SECRET", "a secret of more than 32 characters");
});

it("refuses a setting that there is not, saying so", async () => {
  const action = { kind: "set-setting", setting: "kube-api-qps", from: "5s", value: "6s" };
  const request = { ...REQUEST, kind: "set-setting", action } as never;
  await expect(caller().request(request)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message:
      "The request's action.setting is not valid: no setting of this name can be changed while controllers run.",
  });
});

function caller() {
  const viewer = { id: "ana", name: "Ana", role: "admin", clusters: "all", sessionId: "s-1" };
  return intentsRouter.createCaller({
    headers: new Headers(),
    requestId: "test",
    ledger: undefined as unknown as Database,
    signedIn: () => Promise.resolve({ viewer, proof: {} } as unknown as SignedIn),
  });
}
