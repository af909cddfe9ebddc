import { describe, expect, it } from "vitest";
import { MemoryVolumes } from "../testing/memory-volumes.ts";
import { volumeCases } from "./volumes.ts";

describe("the conformance kit of volumes", () => {
  it.each(volumeCases)("passes a provider that keeps the contract: $name", async (one) => {
    const fixture = new MemoryVolumes().fixture();
    expect(one.unmet(fixture)).toEqual([]);
    await one.run(fixture);
  });

  it("names the needs that a fixture does not meet", () => {
    const {
      breakVolume,
      loseNextAnswer,
      throttle,
      breakCloud,
      answerWithoutEnd,
      volumes,
      ...bare
    } = new MemoryVolumes().fixture();
    const fixed = { identify: volumes.identify, describe: volumes.describe };
    const needs = volumeCases.flatMap((one) => one.unmet({ ...bare, volumes: fixed }));
    expect(new Set(needs)).toEqual(
      new Set([
        "breakVolume",
        "loseNextAnswer",
        "throttle",
        "breakCloud",
        "answerWithoutEnd",
        "grow",
      ]),
    );
  });

  it.each<[string, string, (cloud: MemoryVolumes) => void]>([
    [
      "takes CSI volumes for its own",
      "takes no source of another type for its own, CSI least of all",
      (cloud) => {
        const identify = cloud.identify.bind(cloud);
        cloud.identify = (spec) => (spec.csi === undefined ? identify(spec) : "v-1");
      },
    ],
    [
      "knows a disk only without the general fields",
      "knows its disk behind a PersistentVolume",
      (cloud) => {
        cloud.identify = (spec) =>
          Object.keys(spec).length === 1 ? String(spec.memoryDisk) : undefined;
      },
    ],
    [
      "finds what is not there",
      "calls a disk that is not there absent, alone and among others",
      (cloud) => {
        const facts = {
          id: "v-1",
          zone: "",
          region: "",
          additionalLabels: {},
          sizeGiB: 1,
          asOf: 1,
        };
        cloud.lookUp = () => ({ kind: "found", facts });
      },
    ],
    [
      "leaves out what it does not find",
      "answers every id, whatever the others are",
      (cloud) => {
        const preview = cloud.describe.bind(cloud);
        cloud.describe = async (ids, context) =>
          new Map([...(await preview(ids, context))].filter(([, { kind }]) => kind === "found"));
      },
    ],
    [
      "asks for each by itself",
      "looks many up with few calls, and writes nothing",
      (cloud) => {
        const preview = cloud.describe.bind(cloud);
        cloud.describe = async (ids, context) => {
          const answers = await Promise.all(ids.map((id) => preview([id], context)));
          return new Map(answers.flatMap((answer) => [...answer]));
        };
      },
    ],
    [
      "reads one page",
      "finds more disks than a page holds",
      (cloud) => {
        const preview = cloud.describe.bind(cloud);
        cloud.describe = async (ids, context) => {
          const page = await preview(ids.slice(0, 500), context);
          return new Map(ids.map((id) => [id, page.get(id) ?? { kind: "absent" }]));
        };
      },
    ],
    [
      "lets one bad disk fail the others",
      "answers one that cannot be read as failed, and the others as they are",
      (cloud) => {
        const preview = cloud.lookUp.bind(cloud);
        cloud.lookUp = (id) => preview([...cloud.broken][0] ?? id);
      },
    ],
    [
      "takes an outage for absence",
      "takes a cloud that cannot be asked for no answer, never for absence",
      (cloud) => {
        cloud.whenNotAsked = () => ({ kind: "absent" });
      },
    ],
    [
      "takes a listing without an end for absence",
      "gives up an answer without an end: endlessPages",
      (cloud) => {
        cloud.whenNotAsked = () => ({ kind: "absent" });
      },
    ],
    [
      "forgets how long to wait",
      "passes on how long a cloud that refuses too many calls wants us to wait",
      (cloud) => {
        cloud.whenNotAsked = () => ({
          kind: "failed",
          error: cloud.failed("GET", { code: "Throttled", status: 429 }),
        });
      },
    ],
    [
      "answers an aborted lookup",
      "ends with its signal",
      (cloud) => {
        cloud.describe = async (ids) => new Map(ids.map((id) => [id, { kind: "absent" }]));
      },
    ],
    [
      "adds what is asked for to what is there",
      "is done when the disk is so large already",
      (cloud) => {
        cloud.grown = ({ sizeGiB }, wanted) => sizeGiB + wanted;
      },
    ],
    [
      "makes disks smaller",
      "never makes a disk smaller, and calls that done",
      (cloud) => {
        cloud.grown = (_one, wanted) => wanted;
      },
    ],
    [
      "says that it grew and did nothing",
      "makes a disk as large as it is asked to, and says so",
      (cloud) => {
        cloud.grown = ({ sizeGiB }) => sizeGiB;
      },
    ],
  ])("fails a provider that %s", async (_defect, name, spoil) => {
    const cloud = new MemoryVolumes();
    spoil(cloud);
    await expect(caseNamed(name).run(cloud.fixture())).rejects.toThrow();
  });
});

function caseNamed(name: string): (typeof volumeCases)[number] {
  const found = volumeCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}".`);
  return found;
}
