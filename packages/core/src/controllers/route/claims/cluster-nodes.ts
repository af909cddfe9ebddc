import type { RouteTarget } from "@cloudwright/provider-api";
import type { RouteTraits } from "../../../cloud/routes/route-index.ts";
import type { Node } from "../../../kube/client.ts";
import type { Informer, InformerEvent } from "../../../kube/informer/informer-port.ts";
import { providerIdOf } from "../../objects/node-object.ts";
import { nameOf, uidOf } from "../../objects/object-meta.ts";
import { Claims } from "./claims.ts";
import { type IpRange, rangesIn } from "./pod-ranges.ts";

/** A Node whose deletion this process saw. */
export interface GoneNode {
  readonly name: string;
  readonly uid: string;
  readonly providerID: string | undefined;
  /** Its pod ranges, canonical. */
  readonly ranges: readonly string[];
}

/** The traits that a Node's routes may carry. */
export type NodeTraces = RouteTraits;

/** How many deleted Nodes are remembered. */
const GONE_KEPT = 10_000;

/** The Nodes by everything by which a route may identify them, including those deleted while this process ran. */
export class ClusterNodes {
  readonly claims: Claims = new Claims();
  readonly #nameByUid = new Map<string, string>();
  readonly #nameByMachine = new Map<string, string>();
  /** The provider IDs of the current Nodes by name; undefined for those that have none yet. */
  readonly #machineByName = new Map<string, string | undefined>();
  readonly #gone = new Map<string, GoneNode>();
  /**
   * By name, the deleted Nodes that can still be found by UID; several Nodes of one name may have been deleted in
   * turn.
   */
  readonly #goneByName = new Map<string, Set<GoneNode>>();
  /** By canonical pod range, the deleted Node that had it last. */
  readonly #goneByRange = new Map<string, GoneNode>();
  readonly stop: () => void;

  constructor(informer: Pick<Informer<Node>, "list" | "subscribe">) {
    this.stop = informer.subscribe((event) => this.#heed(event));
    for (const node of informer.list()) this.#add(node);
  }

  /** Returns the name of the current Node with this UID. */
  withUid(uid: string | undefined): string | undefined {
    return uid === undefined ? undefined : this.#nameByUid.get(uid);
  }

  /** Returns the name of the current Node to which this machine belongs. */
  withMachine({ providerID, nodeName }: RouteTarget): string | undefined {
    const known = providerID === undefined ? undefined : this.#nameByMachine.get(providerID);
    if (known !== undefined || nodeName === undefined) return known;
    const isNamed =
      this.#machineByName.has(nodeName) &&
      mayBeMachineOf(this.#machineByName.get(nodeName), providerID);
    return isNamed ? nodeName : undefined;
  }

  /** Returns the deleted Node with this UID or machine. */
  gone(uid: string | undefined, { providerID, nodeName }: RouteTarget): GoneNode | undefined {
    const known = this.#goneAs(uid) ?? this.#goneAs(providerID);
    if (known !== undefined) return known;
    const named = this.#goneAs(nodeName);
    return named !== undefined && mayBeMachineOf(named.providerID, providerID) ? named : undefined;
  }

  /** Returns the deleted Node that had this pod range last, unless a current Node has it. */
  goneWithRange(range: IpRange): GoneNode | undefined {
    return this.claims.having(range).length > 0 ? undefined : this.#goneByRange.get(range.text);
  }

  /** Returns the traits by which routes may identify the current and the deleted Nodes of this name. */
  tracesOf(name: string): NodeTraces {
    const gone = [...(this.#goneByName.get(name) ?? [])];
    const machines = [this.#machineByName.get(name), ...gone.map(({ providerID }) => providerID)];
    return {
      destinations: gone.flatMap(({ ranges }) => ranges),
      owners: gone.map(({ uid }) => uid),
      machines: machines.filter((one) => one !== undefined),
      nodeNames: [name],
    };
  }

  #goneAs(one: string | undefined): GoneNode | undefined {
    return one === undefined ? undefined : this.#gone.get(one);
  }

  /** Reports whether the machine is or was that of one of our Nodes while this process ran. */
  isOurs(target: RouteTarget): boolean {
    return this.withMachine(target) !== undefined || this.gone(undefined, target) !== undefined;
  }

  #heed(event: InformerEvent<Node>): void {
    if (event.kind === "updated") {
      if (isSame(event.old, event.object)) return;
      this.#remove(event.old);
      if (uidOf(event.old) !== uidOf(event.object)) this.#rememberGone(event.old);
    }
    if (event.kind === "deleted") {
      this.#remove(event.object);
      this.#rememberGone(event.object);
    } else {
      this.#add(event.object);
    }
  }

  #add(node: Node): void {
    const name = nameOf(node);
    const providerID = providerIdOf(node);
    this.#machineByName.set(name, providerID);
    this.#nameByUid.set(uidOf(node), name);
    if (providerID !== undefined) this.#nameByMachine.set(providerID, name);
    this.claims.set(node);
    this.#gone.delete(name);
    if (providerID !== undefined) this.#gone.delete(providerID);
  }

  #remove(node: Node): void {
    const name = nameOf(node);
    const providerID = providerIdOf(node);
    this.#machineByName.delete(name);
    this.#nameByUid.delete(uidOf(node));
    if (providerID !== undefined && this.#nameByMachine.get(providerID) === name) {
      this.#nameByMachine.delete(providerID);
    }
    this.claims.remove(name);
  }

  /** If a current Node has the same name or machine, only the old UID identifies the deleted Node. */
  #rememberGone(node: Node): void {
    const name = nameOf(node);
    const uid = uidOf(node);
    const providerID = providerIdOf(node);
    const gone = { name, uid, providerID, ranges: rangesIn(node).map(({ text }) => text) };
    for (const one of [uid, name, providerID]) if (one !== undefined) this.#remember(one, gone);
    for (const range of gone.ranges) this.#goneByRange.set(range, gone);
    const ofName = this.#goneByName.get(name);
    if (ofName === undefined) this.#goneByName.set(name, new Set([gone]));
    else ofName.add(gone);
  }

  #remember(one: string, gone: GoneNode): void {
    this.#gone.delete(one);
    this.#gone.set(one, gone);
    const [oldest] = this.#gone;
    if (this.#gone.size > GONE_KEPT * 3 && oldest !== undefined) this.#forget(...oldest);
  }

  #forget(one: string, gone: GoneNode): void {
    this.#gone.delete(one);
    if (one !== gone.uid) return;
    for (const range of gone.ranges)
      if (this.#goneByRange.get(range) === gone) this.#goneByRange.delete(range);
    const ofName = this.#goneByName.get(gone.name);
    ofName?.delete(gone);
    if (ofName?.size === 0) this.#goneByName.delete(gone.name);
  }
}

/** Reports whether a name may identify the machine of a Node: only if one of the two has no provider ID. */
function mayBeMachineOf(ofNode: string | undefined, ofTarget: string | undefined): boolean {
  return ofNode === undefined || ofTarget === undefined;
}

function isSame(old: Node, node: Node): boolean {
  const parts = ({ metadata, spec }: Node) =>
    JSON.stringify([metadata?.uid, spec?.providerID, spec?.podCIDRs, spec?.podCIDR]);
  return parts(old) === parts(node);
}
