import type { OwnerIdentity } from "@cloudwright/provider-api";
import type { ExtraRoute } from "./router.ts";
import { canonicalAddress, canonicalRange } from "./router-ports.ts";

/** A router's routes carry nothing but destination and next hop: tags of the router say whose they are. */
const PREFIX = "cloudwright:route=";

/** A route's owner, as a tag of its router has it. */
export interface RouteMark {
  /** The tag as the router has it. */
  readonly tag: string;
  readonly owner: OwnerIdentity;
  /** `keyOf` its route. */
  readonly key: string;
}

/** No tag may hold a slash or a comma, nor more than 255 characters; this one has at most 190. */
export function tagOf(route: ExtraRoute, { clusterUid, objectUid }: OwnerIdentity): string {
  return `${PREFIX}${keyOf(route)}=${clusterUid}=${objectUid}`;
}

/** Those of other tools are left out. */
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

/** How a mark identifies its route: the same however Neutron writes the addresses. */
function keyOf({ destination, nexthop }: ExtraRoute): string {
  return `${canonicalRange(destination).replace("/", "_")}=${canonicalAddress(nexthop)}`;
}

/** The route's owner; undefined where no tag names one. */
export function ownerOf(marks: readonly RouteMark[], route: ExtraRoute): OwnerIdentity | undefined {
  const key = keyOf(route);
  return marks.find((mark) => mark.key === key)?.owner;
}

export function isSameOwner(left: OwnerIdentity, right: OwnerIdentity): boolean {
  return left.clusterUid === right.clusterUid && left.objectUid === right.objectUid;
}

/** The tags of this cluster whose routes are not in the table: a removal, or an addition that was cut short, leaves them. */
export function looseMarks(
  { tags, routes }: { readonly tags: readonly string[]; readonly routes: readonly ExtraRoute[] },
  clusterUid: string,
): readonly RouteMark[] {
  const keys = new Set(routes.map(keyOf));
  return marksIn(tags).filter(
    (mark) => mark.owner.clusterUid === clusterUid && !keys.has(mark.key),
  );
}
