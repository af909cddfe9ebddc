import type { NameRule } from "../rules/names.ts";
import type { Problem } from "../rules/problem.ts";
import type { StructSchema } from "../schema/schema.ts";
import type { Admission, ClusterState } from "./cluster-state.ts";
import type { ApiObject } from "./metadata.ts";

/** One column of `kubectl get`; a wide one shows with `-o wide` alone. */
export type Column<Item> = readonly [
  name: string,
  description: string,
  /** `now` is in milliseconds since the epoch; `peers` are the objects of a list, and none when one object is asked for. */
  cell: (item: Item, now: number, peers: readonly Item[]) => string | number | boolean,
  wide?: "wide",
];

/** What is special about one resource; everything else is common to all. */
export interface ResourceRules<Item> {
  /** What is filled into every body that is read, before anything looks at it. */
  readonly defaults?: (item: Item) => Item;
  /**
   * What depends on more than the object, before its rules are asked: what it is due of the cluster's pools, admission by other
   * objects. Not asked for a write of the status. Throws ApiError.
   */
  readonly admit?: (item: Item, before: Item | undefined, admission: Admission) => Item;
  /** Defaults and admission at creation. */
  readonly onCreate?: (item: Item, state: ClusterState) => Item;
  /** Defaults at an update; the status of either side has been taken care of before. */
  readonly onUpdate?: (item: Item, before: Item, state: ClusterState) => Item;
  /** `before` is there when the object is changed. */
  readonly problems?: (item: Item, before?: Item) => readonly Problem[];
  readonly updateProblems?: (item: Item, before: Item) => readonly Problem[];
  /** What is left out once the rules have seen it. */
  readonly settle?: (item: Item) => Item;
  /** Sentences for the Warning header of a write. */
  readonly warnings?: (item: Item) => readonly string[];
  /** Selectable fields beyond metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, (item: Item) => string>>;
  readonly columns?: readonly Column<Item>[];
}

export interface ResourceShape {
  /** "" for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** What the store files it under; two resources that share it are two views of one thing. */
  readonly storage?: string;
  readonly hasStatus?: boolean;
  /** PUT of a name that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without a resourceVersion is refused. */
  readonly versionRequired?: boolean;
  /** DELETE answers with the object, not with a Status. */
  readonly returnsDeleted?: boolean;
  readonly noDeleteCollection?: boolean;
  readonly nameRule?: NameRule;
  /** A sentence for the Warning header of every answer. */
  readonly deprecation?: string;
}

type Optional = "storage" | "deprecation";

export interface ResourceDefinition extends Required<Omit<ResourceShape, Optional>> {
  readonly storage: string;
  readonly singular: string;
  readonly deprecation?: string;
  readonly schema: StructSchema;
  readonly rules: ResourceRules<ApiObject>;
  /** Present when the stored form differs from this resource's own. */
  readonly view?: ResourceView;
}

/** Translates between the stored form and the one that travels. */
export interface ResourceView {
  readonly toStored: (item: ApiObject) => ApiObject;
  readonly fromStored: (item: ApiObject) => ApiObject;
}
