import type { OwnerIdentity } from "@cloudwright/provider-api";
import type { ExtraRoute } from "./router.ts";
import { canonicalAddress, canonicalRange } from "./router-ports.ts";

/** A router's routes consist only of destination and next hop: tags of the router name their owners. */
const PREFIX = "cloudwright:route=";

/** A route's owner, from a tag of its router. */
export interface RouteMark {
  /** The router's tag. */
  readonly tag: string;
  readonly owner: OwnerIdentity;
  /** The route's `keyOf`. */
  readonly key: string;
}

/** A tag may not contain a slash or a comma, nor exceed 255 characters; this one has at most 190. */
export function tagOf(route: ExtraRoute, { clusterUid, objectUid }: OwnerIdentity): string {
  return `${PREFIX}${keyOf(route)}=${clusterUid}=${objectUid}`;
}

/** Ignores other tools' tags. */
export function marksIn(tags: readonly string[]): readonly RouteMark[] {
  return tags.flatMap((tag) => {
    if (!tag.startsWith(PREFIX)) return [];
    const [destination, nexthop, clusterUid, objectUid, ...more] = tag
      .slice(PREFIX.length)
      .split("=");
    if (!destination || !nexthop || !clusterUid || !objectUid || more.length > 0) return [];
    return [{ tag, owner: { clusterUid, objectUid }, key: `${destination}=${nexthop}` }];
  });
}

/** Identifies a mark's route: the same however Neutron writes the addresses. */
function keyOf({ destination, nexthop }: ExtraRoute): string {
  return `${canonicalRange(destination).replace("/", "_")}=${canonicalAddress(nexthop)}`;
}

/** Returns the route's owner; undefined if no tag names one. */
export function ownerOf(marks: readonly RouteMark[], route: ExtraRoute): OwnerIdentity | undefined {
  const key = keyOf(route);
  return marks.find((mark) => mark.key === key)?.owner;
}

export function isSameOwner(left: OwnerIdentity, right: OwnerIdentity): boolean {
  return left.clusterUid === right.clusterUid && left.objectUid === right.objectUid;
}

/** Returns this cluster's tags whose routes are not in the table: a removal or an interrupted addition leaves them. */
export function looseMarks(
  { tags, routes }: { readonly tags: readonly string[]; readonly routes: readonly ExtraRoute[] },
  clusterUid: string,
): readonly RouteMark[] {
  const keys = new Set(routes.map(keyOf));
  return marksIn(tags).filter(
    (mark) => mark.owner.clusterUid === clusterUid && !keys.has(mark.key),
  );
}
