import { type VolumesFixture, volumeCases } from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { testContext } from "../src/testing/scripted-cloud.ts";
import { CloudUnderTest } from "./cloud-under-test.ts";

const DRIVER = "sandbox.cloudwright.io/disk";
const sizedSchema = z.object({ sizeGiB: z.number() });

describe("volumes against the sandbox cloud", () => {
  let cloud: CloudUnderTest;

  beforeAll(async () => {
    cloud = await CloudUnderTest.open();
  });
  afterEach(() => cloud.reset());
  afterAll(() => cloud.close());

  function fixture(): VolumesFixture {
    return {
      provider: "sandbox",
      volumes: cloud.volumes,
      createVolume: (volume) => cloud.make("/v1/volumes", { name: "disk", ...volume }),
      specOf: (volumeID) => ({ flexVolume: { driver: DRIVER, options: { volumeID } } }),
      sizeOf: async (id) => sizedSchema.parse(await cloud.send("GET", `/v1/volumes/${id}`)).sizeGiB,
      unknownVolume: "vol-00000000000000ff",
      loseNextAnswer: () =>
        cloud.faults({
          rules: [{ method: "PATCH", path: "/v1/volumes/*", loseResponse: true, times: 1 }],
        }),
      throttle: (retryAfterMs) =>
        cloud.faulty({ rules: [{ path: "/v1/*", status: 429, retryAfter: retryAfterMs / 1_000 }] }),
      breakCloud: () => cloud.faulty({ rules: [{ path: "/v1/*", status: 503 }] }),
      answerWithoutEnd: (fault) => cloud.proxy.play(fault),
    };
  }

  // A listing of this cloud succeeds or fails as a whole.
  const playable = volumeCases.filter(({ needs }) => !needs.includes("breakVolume"));

  it.each(playable)("as every provider, it $name", async (conformance) => {
    const given = fixture();
    expect(conformance.unmet(given)).toEqual([]);
    await conformance.run(given);
  });

  it.each(["z2__z1", "z1__", ""])("reports the zone %j as the cloud does", async (zone) => {
    const id = await cloud.make("/v1/volumes", { name: "disk", sizeGiB: 1, zone, region: "" });
    const answers = await cloud.volumes.describe([id], testContext());
    expect(answers.get(id)).toMatchObject({
      kind: "found",
      facts: { zone, region: "", additionalLabels: {} },
      requestId: expect.stringMatching(/^req-/),
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["another driver", { flexVolume: { driver: "x/disk", options: { volumeID: "vol-1" } } }],
    ["no options", { flexVolume: { driver: DRIVER } }],
    ["an empty id", { flexVolume: { driver: DRIVER, options: { volumeID: "" } } }],
    ["an id that is no text", { flexVolume: { driver: DRIVER, options: { volumeID: 7 } } }],
  ])("does not know a disk behind a source with %s", (_case, spec) => {
    expect(cloud.volumes.identify(spec)).toBeUndefined();
  });

  it("requests whole GiB, and passes on that a disk cannot be that large", async () => {
    const id = await cloud.make("/v1/volumes", { name: "disk", sizeGiB: 1 });
    const grown = await cloud.volumes.grow?.(id, 1.5, testContext());
    expect(grown).toMatchObject({ id, sizeGiB: 2 });
    await expect(cloud.volumes.grow?.(id, 100_000, testContext())).rejects.toMatchObject({
      code: "Invalid",
      call: { field: "sizeGiB" },
    });
  });
});
