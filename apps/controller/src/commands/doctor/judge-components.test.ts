import { expect, test } from "vitest";
import { judgeComponents } from "./judge-components.ts";

const FLAGS = {
  "allocate-node-cidrs": false,
  "cluster-cidr": ["10.244.0.0/16"],
  "cloud-provider": "openstack",
  "cluster-name": "prod",
  "configure-cloud-routes": true,
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
      {
        pod: "kube-system/occm",
        words: ["/bin/openstack-cloud-controller-manager", "--cluster-name=prod"],
      },
    ],
    /^warning: Another .*occm/,
  ],
  [
    "upstream's manager runs by the command of its image",
    [
      API,
      KCM,
      {
        pod: "kube-system/ccm",
        image: "registry.k8s.io/provider-aws/cloud-controller-manager:v1.35.0",
        words: ["--cluster-name=prod", "--v=2"],
      },
    ],
    /^warning: Another .*ccm/,
  ],
  [
    "the image is named by a digest at a registry with a port",
    [
      API,
      KCM,
      {
        pod: "a/b",
        image: `r:5000/x-cloud-controller-manager@sha256:${"0".repeat(64)}`,
        words: ["--cluster-name=prod"],
      },
    ],
    /^warning: Another .*a\/b/,
  ],
])("%s", (_case, containers, says) => {
  const found = problemsOf(containers);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(says);
});

test("two allocators of pod ranges are a problem, one is not", () => {
  const kcm = { ...KCM, words: [...KCM.words, "--allocate-node-cidrs=true"] };
  expect(problemsOf([API, kcm])).toEqual([]);
  const [found] = problemsOf([API, kcm], { ...FLAGS, "allocate-node-cidrs": true });
  expect(found).toMatch(/^problem: .*both assign pod ranges/);
});

test("a dry run beside another manager is in order", () => {
  const words = ["cloud-controller-manager", "--cluster-name=prod"];
  const other = { pod: "kube-system/other", words };
  expect(problemsOf([API, KCM, other], { ...FLAGS, "dry-run": true })).toEqual([]);
});

test("an upstream manifest that starts this program is not another manager", () => {
  const own = { pod: "kube-system/ccm", words: ["cloud-controller-manager", "/opt/cloudwright/x"] };
  expect(problemsOf([API, KCM, own])).toEqual([]);
});

const OTHER = {
  pod: "kube-system/other",
  image: "r/openstack-cloud-controller-manager:v1",
  words: [],
};

test.each([
  ["--cluster-name=old", /other has --cluster-name=old, and this controller prod/],
  [
    "--cluster-cidr=10.9.0.0/16",
    /other has --cluster-cidr=10\.9\.0\.0\/16, and this controller 10\.24/,
  ],
  ["--configure-cloud-routes=false", /other has --configure-cloud-routes=false, and this .* true/],
  ["--allocate-node-cidrs", /other has --allocate-node-cidrs=true, and this controller false/],
])(
  "names a flag in which this controller differs from the one that it replaces: %s",
  (flag, says) => {
    const words = ["--cluster-name=prod", "--cluster-cidr=10.244.0.0/16"];
    const other = { ...OTHER, words: [...words, flag] };
    expect(problemsOf([API, KCM, other]).slice(1)).toEqual([expect.stringMatching(says)]);
    expect(problemsOf([API, KCM, other], { ...FLAGS, "dry-run": true })).toEqual([
      expect.stringMatching(says),
    ]);
    const foreign = { ...OTHER, words: [...words, flag, "--cloud-provider=aws"] };
    expect(problemsOf([API, KCM, foreign])).toHaveLength(1);
  },
);

test("a name that equals upstream's default is compared as well", () => {
  expect(problemsOf([API, KCM, OTHER])[1]).toMatch(/other has --cluster-name=kubernetes, and this/);
  expect(problemsOf([API, KCM, OTHER], { ...FLAGS, "cluster-name": "kubernetes" })).toHaveLength(1);
});
