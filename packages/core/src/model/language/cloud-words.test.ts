import { afterEach, describe, expect, it } from "vitest";
import { changeTitle } from "../audit/change-messages.ts";
import { causeOf } from "../sentence.ts";
import { callName, partName, partValue } from "./cloud-words.ts";
import { speak } from "./text.ts";

const SAID = {
  name: ["listener 443/TCP", "member i-9", "members of web", "families", "what its author says"],
  value: ["to node port 31443", "to node port 31443, named web", "client IP for 60 s", "everybody"],
};
/** The placeholders in a catalog. */
const [FIRST, SECOND] = ["0", "1"].map((at) => ["$", "{", at, "}"].join(""));
const CATALOG = {
  [`listener ${FIRST}`]: `リスナー ${FIRST}`,
  "health check": "ヘルスチェック",
  everybody: "全員",
  "look up instance": "インスタンスの照会",
  "grow disks": "ディスクの拡張",
  [`its load balancer is not in sync: ${FIRST}`]: `ロードバランサーが同期していません: ${FIRST}`,
  [`Change ${FIRST} of ${SECOND}`]: `${SECOND} の ${FIRST} を変更`,
};

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

it("in English the parts of load balancers have the providers' names", () => {
  expect(SAID.name.map(partName)).toEqual(SAID.name);
  expect([...SAID.value, "TCP of the first listener"].map(partValue)).toEqual([
    ...SAID.value,
    "TCP of the first listener",
  ]);
});

describe("in another language", () => {
  it("calls that controllers name are translated for the reader", () => {
    expect(callName("look up instance")).toBe("look up instance");
    speak({ language: "ja", catalogOf: () => CATALOG });
    expect(callName("look up instance")).toBe("インスタンスの照会");
    expect(callName("GET /v1/instances")).toBe("GET /v1/instances");
    const reason = {
      code: "ProviderUnsupported",
      provider: "aws",
      operation: "grow disks",
    } as const;
    expect(causeOf(reason)).toContain("ディスクの拡張");
  });

  it("they are translated for the reader, and unknown names stay", () => {
    speak({ language: "ja", catalogOf: () => CATALOG });
    expect(partName("listener 443/TCP")).toBe("リスナー 443/TCP");
    expect(partName("what its author says")).toBe("what its author says");
    expect(partValue("everybody")).toBe("全員");
  });

  it("reasons and titles use the translated names, too", () => {
    speak({ language: "ja", catalogOf: () => CATALOG });
    const aspects = ["listener 443/TCP", "health check"];
    expect(causeOf({ code: "BalancerDiffers", aspects })).toContain(
      "リスナー 443/TCP, ヘルスチェック",
    );
    const target = { kind: "Service", namespace: "shop", name: "web" } as const;
    const after = { what: "listener 443/TCP", target: "lb-1", fields: {} };
    expect(changeTitle({ kind: "balancer.update", target, after })).toContain("リスナー 443/TCP");
  });
});
