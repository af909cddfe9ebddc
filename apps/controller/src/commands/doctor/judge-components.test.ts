import { expect, test } from "vitest";
import { judgeComponents } from "./judge-components.ts";

const FLAGS = {
  "allocate-node-cidrs": false,
  "cluster-cidr": ["10.244.0.0/16"],
  "dry-run": false,
} as const;
const API = { pod: "kube-system/api", words: ["kube-apiserver", "--secure-port=6443"] };
const KCM = { pod: "kube-system/kcm", words: ["kube-controller-manager"] };

function problemsOf(
  containers: Parameters<typeof judgeComponents>[0],
  flags: Parameters<typeof judgeComponents>[1] = FLAGS,
) {
  return judgeComponents(containers, flags)
    .filter(({ verdict }) => verdict !== "ok")
    .map(({ verdict, says }) => `${verdict}: ${says}`);
}

test.each([
  ["without a provider", [API, KCM]],
  ["with an external one", [API, { ...KCM, words: [...KCM.words, "--cloud-provider=external"] }]],
  [
    "with an external one as two words",
    [API, { ...KCM, words: [...KCM.words, "--cloud-provider", "external"] }],
  ],
  ["with paths", [{ ...API, words: ["/usr/local/bin/kube-apiserver"] }, KCM]],
  [
    "with the same pod range",
    [API, { ...KCM, words: [...KCM.words, "--cluster-cidr=10.244.0.0/16"] }],
  ],
])("a control plane %s is in order", (_case, containers) => {
  expect(problemsOf(containers)).toEqual([]);
});

test.each([
  [
    "kube-apiserver has a provider",
    [{ ...API, words: [...API.words, "--cloud-provider=aws"] }, KCM],
    /^problem: kube-system\/api .*=aws/,
  ],
  [
    "kube-controller-manager has one",
    [API, { ...KCM, words: [...KCM.words, "--cloud-provider=aws"] }],
    /^problem: kube-system\/kcm .*own cloud controllers/,
  ],
  [
    "the last flag counts",
    [API, { ...KCM, words: [...KCM.words, "--cloud-provider=external", "--cloud-provider=gce"] }],
    /=gce/,
  ],
  [
    "ranges differ",
    [API, { ...KCM, words: [...KCM.words, "--cluster-cidr=10.1.0.0/16"] }],
    /^warning: .*10\.1\.0\.0\/16.*10\.244\.0\.0\/16/,
  ],
  ["no API server is seen", [KCM], /^unknown: kube-apiserver/],
  ["no controller manager is seen", [API], /^unknown: kube-controller-manager/],
  [
    "upstream's manager runs",
    [
      API,
      KCM,
      { pod: "kube-system/occm", words: ["/bin/openstack-cloud-controller-manager", "--v=1"] },
    ],
    /^warning: Another .*occm/,
  ],
])("%s", (_case, containers, says) => {
  const found = problemsOf(containers);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(says);
});

test("two allocators of pod ranges are a problem, one is none", () => {
  const kcm = { ...KCM, words: [...KCM.words, "--allocate-node-cidrs=true"] };
  expect(problemsOf([API, kcm])).toEqual([]);
  const [found] = problemsOf([API, kcm], { ...FLAGS, "allocate-node-cidrs": true });
  expect(found).toMatch(/^problem: .*both assign pod ranges/);
});

test("beside another manager a dry run is in order", () => {
  const other = { pod: "kube-system/other", words: ["cloud-controller-manager"] };
  expect(problemsOf([API, KCM, other], { ...FLAGS, "dry-run": true })).toEqual([]);
});

test("a manifest of upstream that starts this program is not another manager", () => {
  const own = { pod: "kube-system/ccm", words: ["cloud-controller-manager", "/opt/cloudwright/x"] };
  expect(problemsOf([API, KCM, own])).toEqual([]);
});
