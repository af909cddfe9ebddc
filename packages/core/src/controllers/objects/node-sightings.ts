import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import { CLOUD_LABELS_ANNOTATION, isUninitialised } from "./node-object.ts";
import { annotationOf, uidOf } from "./object-meta.ts";

/**
 * What this process has seen of each Node since its informer first showed it; kept by UID, as a name may belong to another machine
 * now.
 */
export interface NodeSightings {
  /**
   * Returns when the UID was first seen, in monotonic milliseconds. Earlier answers of the cloud may be about another
   * machine of that name (DESIGN.md "Freshness"). A Node that the informer has not shown yet is first seen now.
   */
  firstSeen(uid: string): number;
  /**
   * Reports whether the Node was seen with the uninitialized taint, and not since with the result of this controller's
   * initialisation.
   */
  wasUninitialised(uid: string): boolean;
  /** Stops following the informer. */
  stop(): void;
}

interface Sighting {
  readonly at: number;
  awaitsIdentity: boolean;
}

/**
 * Follows the informer from now on, also on a standby: the next leader then knows which Nodes wait, whoever removes their taint.
 */
export function watchNodes(
  informer: Pick<Informer<Node>, "list" | "subscribe">,
  clock: Clock,
): NodeSightings {
  const seen = new Map<string, Sighting>();

  function sightingOf(uid: string): Sighting {
    const known = seen.get(uid);
    if (known !== undefined) return known;
    const fresh: Sighting = { at: clock.monotonic(), awaitsIdentity: false };
    seen.set(uid, fresh);
    return fresh;
  }

  function see(node: Node): void {
    const sighting = sightingOf(uidOf(node));
    if (isUninitialised(node)) sighting.awaitsIdentity = true;
    else if (annotationOf(node, CLOUD_LABELS_ANNOTATION) !== undefined)
      sighting.awaitsIdentity = false;
  }

  function heed(event: InformerEvent<Node>): void {
    const past = pastUid(event);
    if (past !== undefined) seen.delete(past);
    if (event.kind !== "deleted") see(event.object);
  }

  const stop = informer.subscribe(heed);
  for (const node of informer.list()) see(node);
  return {
    firstSeen: (uid) => seen.get(uid)?.at ?? clock.monotonic(),
    stop,
    wasUninitialised: (uid) => seen.get(uid)?.awaitsIdentity === true,
  };
}

/** Returns the UID of the object that is gone; a relist may report one that was recreated in its place as an update. */
function pastUid(event: InformerEvent<Node>): string | undefined {
  if (event.kind === "deleted") return uidOf(event.object);
  if (event.kind === "added" || uidOf(event.old) === uidOf(event.object)) return undefined;
  return uidOf(event.old);
}
