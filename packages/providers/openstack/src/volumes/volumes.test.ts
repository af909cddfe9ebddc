import { afterEach, describe, expect, it } from "vitest";
import { type Answers, type CloudUnderTest, startCloud, tokenAnswer } from "../testing/cloud.ts";
import { createVolumes } from "./volumes.ts";

const ID = "6edbc2f4-1507-44f8-ac0d-eed1d2608d38";

/** From the block storage API's reference (v3, "Show a volume's details"). */
const RECORDED = {
  ...{ id: ID, size: 2, availability_zone: "nova", status: "available", multiattach: false },
  ...{ name: "data", volume_type: "lvmdriver-1", bootable: "false", metadata: {}, links: [] },
};

describe("Cinder's volumes", () => {
  let cloud: CloudUnderTest | undefined;
  afterEach(() => cloud?.close());

  async function volumesOn(answers: (url: () => string) => Answers) {
    let url = "";
    cloud = await startCloud({ answers: answers(() => url) });
    url = cloud.service.url;
    const config = { identity: { region: "RegionOne" } } as never;
    return createVolumes({ client: cloud.client, config, now: () => 7 });
  }

  const catalog = (url: () => string): Answers => ({
    "POST /identity/v3/auth/tokens": () =>
      tokenAnswer([
        {
          type: "block-storage",
          endpoints: [
            {
              interface: "public",
              region: "RegionOne",
              region_id: "RegionOne",
              url: `${url()}/volume/v3/p-1`,
            },
          ],
        },
      ]),
  });

  it("belong to an in-tree cinder source, and to no other", async () => {
    const { identify } = await volumesOn(() => ({}));
    expect(identify({ cinder: { volumeID: ID, fsType: "ext4" } })).toBe(ID);
    expect(
      identify({ csi: { driver: "cinder.csi.openstack.org", volumeHandle: ID } }),
    ).toBeUndefined();
    expect(identify({ nfs: { server: "n", path: "/" } })).toBeUndefined();
  });

  it("have zone, region and size", async () => {
    const { describe: look } = await volumesOn((url) => ({
      ...catalog(url),
      [`GET /volume/v3/p-1/volumes/${ID}`]: { body: { volume: RECORDED } },
    }));
    const facts = {
      id: ID,
      zone: "nova",
      region: "RegionOne",
      sizeGiB: 2,
      additionalLabels: {},
      asOf: 7,
    };
    expect((await look([ID], cloud?.context() as never)).get(ID)).toMatchObject({
      kind: "found",
      facts,
    });
  });

  it("are absent only if Cinder itself says so", async () => {
    const gone = {
      status: 404,
      body: { itemNotFound: { code: 404, message: "Volume could not be found." } },
    };
    const { describe: look } = await volumesOn((url) => ({
      ...catalog(url),
      [`GET /volume/v3/p-1/volumes/${ID}`]: gone,
      "GET /volume/v3/p-1/volumes/other": { status: 404, text: "404 page not found" },
    }));
    const answers = await look([ID, "other"], cloud?.context() as never);
    expect([answers.get(ID)?.kind, answers.get("other")?.kind]).toEqual(["absent", "failed"]);
  });

  it("are read in one listing if there are many", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `v-${index}`);
    const { describe: look } = await volumesOn((url) => ({
      ...catalog(url),
      "GET /volume/v3/p-1/volumes/detail": {
        body: { volumes: ids.map((id) => ({ ...RECORDED, id })) },
      },
    }));
    const answers = await look(ids, cloud?.context() as never);
    expect([...answers.values()].every(({ kind }) => kind === "found")).toBe(true);
    const reads = cloud?.calls.filter(({ operation }) => operation.startsWith("volume"));
    expect(reads).toHaveLength(1);
  });

  it("cannot be looked up without Cinder, which does not mean absence", async () => {
    const { describe: look } = await volumesOn(() => ({}));
    expect((await look([ID], cloud?.context() as never)).get(ID)).toMatchObject({
      kind: "failed",
      error: { code: "Unsupported" },
    });
  });
});
