import { expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import type { Credentials } from "./credentials.ts";
import { handedAccess, handOver } from "./handed-access.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

const SERVER = "https://10.0.0.1:6443";
const SOURCE = "kubeconfig here";

/** What a thread reads itself: a new token for each renewal. */
function createOwn() {
  let renewed = 0;
  const access: ClusterAccess = {
    server: SERVER,
    source: SOURCE,
    credentials: () => token(`own-${renewed}`),
    renew: () => {
      renewed += 1;
    },
  };
  return access;
}

function token(text: string): Credentials {
  return { headers: { authorization: text }, tls: {} };
}

function createThread({ failures = 0 } = {}) {
  const clock = createManualClock();
  const loads: string[] = [];
  const access = handedAccess(
    { server: SERVER, source: SOURCE, credentials: token("handed") },
    {
      clock,
      load: async () => {
        loads.push("load");
        if (loads.length <= failures) throw new Error("the kubeconfig is gone");
        return createOwn();
      },
    },
  );
  return { access, clock, loads };
}

async function authorizationOf(access: ClusterAccess): Promise<string | undefined> {
  return (await access.credentials()).headers.authorization;
}

it("knows at once what it was given, and loads nothing", () => {
  const { access, loads } = createThread();
  expect(access).toMatchObject({ server: SERVER, source: SOURCE });
  expect(access.credentials()).toEqual(token("handed"));
  expect(loads).toEqual([]);
});

it("reads the credentials itself when those it was given are old, and goes on with the new ones", async () => {
  const { access, clock, loads } = createThread();
  await clock.advance(30_000);
  expect(await authorizationOf(access)).toBe("own-0");
  expect(access.credentials()).toEqual(token("own-0"));
  expect(loads).toEqual(["load"]);
});

it("reads them itself when those it was given were refused", async () => {
  const { access, loads } = createThread();
  access.renew();
  expect(await authorizationOf(access)).toBe("own-0");
  access.renew();
  expect(await authorizationOf(access)).toBe("own-1");
  expect(loads).toEqual(["load"]);
});

it("loads once for two simultaneous calls, and again after a failure", async () => {
  const { access, loads } = createThread({ failures: 1 });
  access.renew();
  const asked = await Promise.allSettled([access.credentials(), access.credentials()]);
  expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(loads).toEqual(["load"]);
  expect(await authorizationOf(access)).toBe("own-0");
  expect(loads).toEqual(["load", "load"]);
});

it("is handed over only if the credentials are known", () => {
  const own = createOwn();
  expect(handOver(own)).toEqual({ server: SERVER, source: SOURCE, credentials: token("own-0") });
  const reading: ClusterAccess = { ...own, credentials: () => Promise.resolve(token("late")) };
  expect(handOver(reading)).toBeUndefined();
  const failing: ClusterAccess = {
    ...own,
    credentials: () => Promise.reject(new Error("the plug-in is not there")),
  };
  expect(handOver(failing)).toBeUndefined();
});
