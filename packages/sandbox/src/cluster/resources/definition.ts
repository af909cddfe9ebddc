import type { NameRule } from "../rules/names.ts";
import type { Problem } from "../rules/problem.ts";
import type { StructSchema } from "../schema/schema.ts";
import type { Admission, ClusterState } from "./cluster-state.ts";
import type { ApiObject } from "./metadata.ts";

/** One column of `kubectl get`; a wide one is only shown with `-o wide`. */
export type Column<Item> = readonly [
  name: string,
  description: string,
  /** `now` is in milliseconds since the epoch; `peers` are the objects of a list, and empty when a single object is requested. */
  cell: (item: Item, now: number, peers: readonly Item[]) => string | number | boolean,
  wide?: "wide",
];

/** The special rules of one resource; everything else is common to all. */
export interface ResourceRules<Item> {
  /** Fills defaults into every body that is read, before anything else. */
  readonly defaults?: (item: Item) => Item;
  /**
   * Runs before the rules, for what depends on more than the object: allocations from the cluster's pools, admission by other objects. Not
   * called for a status write. Throws ApiError.
   */
  readonly admit?: (item: Item, before: Item | undefined, admission: Admission) => Item;
  /** Applies defaults and admission at creation. */
  readonly onCreate?: (item: Item, state: ClusterState) => Item;
  /** Applies defaults at an update; the status of both versions has been settled before. */
  readonly onUpdate?: (item: Item, before: Item, state: ClusterState) => Item;
  /** `before` is given when the object is changed. */
  readonly problems?: (item: Item, before?: Item) => readonly Problem[];
  readonly updateProblems?: (item: Item, before: Item) => readonly Problem[];
  /** Removes fields once the rules have seen them. */
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
  /** The store's name for it; two resources with the same name are two views of the same objects. */
  readonly storage?: string;
  readonly hasStatus?: boolean;
  /** Whether PUT of a missing name creates it. */
  readonly createOnUpdate?: boolean;
  /** Whether PUT without a resourceVersion is refused. */
  readonly versionRequired?: boolean;
  /** Whether DELETE answers with the object instead of a Status. */
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

/** Translates between the stored form and the one that clients see. */
export interface ResourceView {
  readonly toStored: (item: ApiObject) => ApiObject;
  readonly fromStored: (item: ApiObject) => ApiObject;
}
