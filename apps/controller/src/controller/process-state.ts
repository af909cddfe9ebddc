import type { Node } from "@cloudwright/core/kube/client";
import type { Election } from "@cloudwright/core/kube/election";
import type { Informer } from "@cloudwright/core/kube/informer-port";
import type { Leading } from "./leading.ts";
import type { Ledger } from "./ledger.ts";

/** How far this process has come; what its health, metrics and heartbeats read. Each part appears when it exists. */
export interface ProcessState {
  nodes: Informer<Node> | undefined;
  election: Election | undefined;
  leading: Leading | undefined;
  ledger: Ledger | undefined;
}

export function emptyState(): ProcessState {
  return { nodes: undefined, election: undefined, leading: undefined, ledger: undefined };
}
