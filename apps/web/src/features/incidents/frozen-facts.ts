import { t } from "@cloudwright/core/model/language/text";
import type { EnglishSnapshot, IncidentSnapshot } from "@cloudwright/store/views/incidents";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";

type Facts = IncidentSnapshot["facts"];
type Known = { readonly text: string } | { readonly at: number } | undefined;

/** Returns the known facts with their names, in reading order. */
export function frozenFacts(facts: Facts): EnglishSnapshot["facts"] {
  return FACTS.flatMap(([label, read]) => {
    const known = read(facts);
    return known === undefined ? [] : [{ label: label(), ...known }];
  });
}

const FACTS: readonly (readonly [label: () => string, read: (facts: Facts) => Known])[] = [
  [() => t`Drift`, ({ drift }) => shown(drift && DRIFT_PRESENTATION[drift].label)],
  [() => t`In the cloud`, ({ providerID }) => shown(providerID)],
  [() => t`Created`, ({ createdAt }) => when(createdAt)],
  [() => t`Gone`, ({ goneAt }) => when(goneAt)],
  [() => t`Last reported`, ({ reportedAt }) => when(reportedAt)],
  [() => t`Ready`, ({ ready }) => shown(ready)],
  [() => t`Taints`, ({ taints }) => shown(taints && listed(taints))],
  [() => t`Kubelet`, ({ kubelet }) => shown(kubelet)],
  [() => t`Zone`, ({ zone }) => shown(zone)],
  [() => t`Type`, ({ instanceType }) => shown(instanceType)],
  [() => t`Started`, ({ startedAt }) => when(startedAt)],
  [() => t`Attempt`, ({ attempt }) => shown(attempt?.toString())],
  [() => t`Calls`, (facts) => shown(callsText(facts))],
  [() => t`By`, ({ instance }) => shown(instance)],
];

function shown(text: string | undefined): Known {
  return text === undefined ? undefined : { text };
}

function when(at: number | undefined): Known {
  return at === undefined ? undefined : { at };
}

function listed(taints: readonly string[]): string {
  return taints.length === 0 ? t`none` : taints.join(", ");
}

function callsText({ cloudCalls, kubeCalls }: Facts): string | undefined {
  if (cloudCalls === undefined || kubeCalls === undefined) return undefined;
  return t`${cloudCalls} cloud calls, ${kubeCalls} Kubernetes calls`;
}
