import type { FlagValues } from "../../flags/definitions/all.ts";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

/** A container of a pod: its name for messages, and the words that start it. */
export interface StartedContainer {
  /** `kube-system/kube-apiserver-cp-1`. */
  readonly pod: string;
  readonly words: readonly string[];
}

type Flags = Pick<FlagValues, "allocate-node-cidrs" | "cluster-cidr" | "dry-run">;

/**
 * What stands in the way of an external cloud provider in the flags of the control plane, as far as pods show them: the rules
 * of Kubernetes' "Cloud Controller Manager Administration", and two managers beside each other (spec/00 §10).
 */
export function judgeComponents(containers: readonly StartedContainer[], flags: Flags): Judged[] {
  const apiServers = startedAs(containers, /^kube-apiserver$/);
  const managers = startedAs(containers, /^kube-controller-manager$/);
  return [
    ...judgeApiServers(apiServers),
    ...managers.flatMap((manager) => judgeControllerManager(manager, flags)),
    ...(managers.length > 0
      ? []
      : [
          {
            verdict: "unknown" as const,
            says: "kube-controller-manager does not run as a pod of kube-system here, so its flags are not visible.",
            advice:
              "Check that it is given --cloud-provider=external or no --cloud-provider, and only one --allocate-node-cidrs in the cluster.",
          },
        ]),
    ...judgeOtherManagers(containers, flags),
  ];
}

function judgeApiServers(servers: readonly StartedContainer[]): Judged[] {
  if (servers.length === 0) {
    return [
      {
        verdict: "unknown",
        says: "kube-apiserver does not run as a pod of kube-system here, so its flags are not visible.",
        advice: "Check that it is given no --cloud-provider.",
      },
    ];
  }
  return servers.map(({ pod, words }) => {
    const provider = flagOf(words, "cloud-provider") ?? "";
    return provider === "" || provider === "external"
      ? ok(`${pod} has no cloud provider of its own.`)
      : problem(
          `${pod} is started with --cloud-provider=${provider}, which is for a cloud provider inside kube-apiserver.`,
          "Remove the flag from kube-apiserver.",
        );
  });
}

function judgeControllerManager({ pod, words }: StartedContainer, flags: Flags): Judged[] {
  const provider = flagOf(words, "cloud-provider") ?? "";
  const found: Judged[] = [
    provider === "" || provider === "external"
      ? ok(`${pod} leaves the cloud to a cloud controller manager.`)
      : problem(
          `${pod} is started with --cloud-provider=${provider}, so its own cloud controllers run at the same time as this one.`,
          "Start it with --cloud-provider=external.",
        ),
  ];
  const theirs = flagOf(words, "allocate-node-cidrs") === "true";
  if (theirs && flags["allocate-node-cidrs"]) {
    found.push(
      problem(
        `${pod} and this controller would both assign pod ranges, as both have --allocate-node-cidrs=true.`,
        "Set it to false on one of them.",
      ),
    );
  }
  const range = flagOf(words, "cluster-cidr") ?? "";
  const own = flags["cluster-cidr"].join(",");
  if (range !== "" && own !== "" && range !== own) {
    found.push(
      warning(
        `${pod} has --cluster-cidr=${range}, and this controller ${own}.`,
        "Give both the same range.",
      ),
    );
  }
  return found;
}

/** Any other manager of a cloud, such as upstream's for this one. */
function judgeOtherManagers(containers: readonly StartedContainer[], flags: Flags): Judged[] {
  const others = startedAs(containers, /cloud-controller-manager$/).filter(
    ({ words }) => !words.some((word) => word.includes("cloudwright")),
  );
  if (others.length === 0) return [ok("No other cloud controller manager runs in kube-system.")];
  const pods = someOf(others.map(({ pod }) => pod));
  return [
    flags["dry-run"]
      ? ok(`Another cloud controller manager runs (${pods}); this controller only watches it.`)
      : warning(
          `Another cloud controller manager runs: ${pods}.`,
          "Compare first with --dry-run=true, then scale the other one to zero before this controller writes; docs/migration.md has the steps.",
        ),
  ];
}

function startedAs(
  containers: readonly StartedContainer[],
  program: RegExp,
): readonly StartedContainer[] {
  return containers.filter(({ words }) =>
    words.slice(0, 2).some((word) => program.test(word.split("/").at(-1) ?? "")),
  );
}

/** `--name=value` or `--name value`; the last one counts, as Go's flag packages have it. */
function flagOf(words: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word === `--${name}`) value = words[index + 1]?.startsWith("-") ? "true" : words[index + 1];
    else if (word.startsWith(`--${name}=`)) value = word.slice(name.length + 3);
  }
  return value;
}
