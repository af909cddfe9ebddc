import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import { CLOUD_LABELS_ANNOTATION, isUninitialised } from "./node-object.ts";
import { annotationOf, uidOf } from "./object-meta.ts";

/** What this process has seen of each Node since its informer shows it; kept by UID, as a name may be another machine's by now. */
export interface NodeSightings {
  /**
   * When the UID was first seen, monotonic milliseconds. What the cloud was asked before may be about whoever had the name
   * then (DESIGN.md "Freshness"). A Node that the informer has not shown yet is first seen now.
   */
  firstSeen(uid: string): number;
  /** Whether it was seen with the uninitialized taint, and not since with what this controller's initialisation leaves. */
  wasUninitialised(uid: string): boolean;
  /** Ends what it follows. */
  stop(): void;
}

interface Sighting {
  readonly at: number;
  awaitsIdentity: boolean;
}

/** Follows the informer from now on, also on a standby: who leads next knows then which Nodes wait, whoever lifts their taint. */
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

/** Of the object that is no more; a list may show one that was made anew in its place as an update. */
function pastUid(event: InformerEvent<Node>): string | undefined {
  if (event.kind === "deleted") return uidOf(event.object);
  if (event.kind === "added" || uidOf(event.old) === uidOf(event.object)) return undefined;
  return uidOf(event.old);
}
