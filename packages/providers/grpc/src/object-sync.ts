import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ObjectSource, SourceKind, SourceObject } from "./connection.ts";
import {
  ObjectKind,
  type ObjectRefSchema,
  type SyncObjectsRequestSchema,
} from "./generated/cloudwright/provider/v1/provider_pb.js";

/** Sends a SyncObjects request; resolves when the process has applied it. */
export type SendObjects = (
  request: MessageInitShape<typeof SyncObjectsRequestSchema>,
) => Promise<unknown>;

/** Returns a request's reference to an object that the process has. */
export type RefOf = (object: SourceObject | undefined) => RefInit | undefined;
export type RefInit = MessageInitShape<typeof ObjectRefSchema>;

/** The maximum bytes of objects in one request: servers accept messages of 4 MiB by default. */
const MOST_BYTES = 2 * 1_048_576;

/** What a process receives in addition to the objects that its requests refer to. */
export interface SentBeside {
  /** Kinds of which it receives every object. */
  readonly watched: readonly SourceKind[];
  /** Whether it receives a few Nodes at first: it reports a machine as absent only if the cloud shows it another one. */
  readonly someNodes: boolean;
}

/** Enough Nodes not to be all in one zone, or all gone together with the machine in question. */
const MOST_NODES_BESIDE = 16;

/** The cluster's objects that one start of a process has received: each version is sent once, and then referred to. */
export class ObjectSync {
  readonly #objects: ObjectSource;
  readonly #send: SendObjects;
  readonly #watched: ReadonlySet<SourceKind>;
  readonly #someNodes: boolean;
  readonly #unsubscribe: () => void;
  /** The version of each object, by UID, that the process has or is being sent. */
  readonly #sent = new Map<string, string>();
  readonly #upserts = new Map<string, SourceObject>();
  readonly #deleted = new Set<string>();
  #isFirst = true;
  #owesNodes: boolean;
  /** The request in progress, and the next one, which collects what comes meanwhile. */
  #sending: Promise<void> = Promise.resolve();
  #gathering: Promise<void> | undefined;

  constructor(objects: ObjectSource, send: SendObjects, { watched, someNodes }: SentBeside) {
    this.#objects = objects;
    this.#send = send;
    this.#watched = new Set(watched);
    this.#someNodes = someNodes;
    this.#owesNodes = someNodes;
    this.#unsubscribe = objects.onChange(({ kind, uid, isGone }) => {
      if (isGone) this.#forget(uid);
      if (this.#watched.has(kind)) this.#bringWatched();
    });
  }

  /** Resolves when the process has these objects, and all objects of the kinds that it watches. Throws the error of sending. */
  async bring(objects: readonly SourceObject[]): Promise<void> {
    this.#enqueueNodesBeside();
    for (const kind of this.#watched) this.#enqueue(this.#objects.all(kind));
    this.#enqueue(objects);
    await (this.#isWaiting() ? this.#flush() : this.#sending);
  }

  /** Refers to the version that the process has, which may be newer than the given one. */
  readonly refOf: RefOf = (object) => {
    const version = object === undefined ? undefined : this.#sent.get(object.uid);
    if (object === undefined || version === undefined) return undefined;
    return { kind: KINDS[object.kind], uid: object.uid, resourceVersion: version };
  };

  /** Marks objects that the process does not have as not sent, so that they are sent again. */
  lost(uids: readonly string[]): void {
    for (const uid of uids) this.#sent.delete(uid);
  }

  close(): void {
    this.#unsubscribe();
  }

  #forget(uid: string): void {
    this.#upserts.delete(uid);
    if (this.#sent.delete(uid)) this.#deleted.add(uid);
  }

  /** A failure can be ignored: the next request sends these objects first. */
  #bringWatched(): void {
    this.bring([]).catch(() => {});
  }

  #enqueue(objects: Iterable<SourceObject>): void {
    for (const object of objects) {
      if (this.#sent.get(object.uid) === object.resourceVersion) continue;
      this.#sent.set(object.uid, object.resourceVersion);
      this.#deleted.delete(object.uid);
      this.#upserts.set(object.uid, object);
    }
  }

  #enqueueNodesBeside(): void {
    if (!this.#owesNodes) return;
    this.#owesNodes = false;
    this.#enqueue(evenlyChosen([...this.#objects.all("Node")], MOST_NODES_BESIDE));
  }

  #isWaiting(): boolean {
    return this.#gathering !== undefined || this.#upserts.size + this.#deleted.size > 0;
  }

  /** Sends one request after the other; objects that arrive during one go together into the next. */
  #flush(): Promise<void> {
    this.#gathering ??= this.#sending
      .catch(() => {})
      .then(() => {
        this.#gathering = undefined;
        this.#sending = this.#sendWaiting();
        return this.#sending;
      });
    return this.#gathering;
  }

  async #sendWaiting(): Promise<void> {
    const upserts = [...this.#upserts.values()];
    const deleted = [...this.#deleted];
    this.#upserts.clear();
    this.#deleted.clear();
    try {
      for (const request of requestsOf(upserts, deleted)) {
        await this.#send({ ...request, replacesAll: this.#isFirst });
        this.#isFirst = false;
      }
    } catch (error) {
      this.lost(upserts.map(({ uid }) => uid));
      this.#owesNodes = this.#isFirst && this.#someNodes;
      for (const uid of deleted) this.#deleted.add(uid);
      throw error;
    }
  }
}

function evenlyChosen<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, index) => index % step < 1);
}

type Part = Pick<MessageInitShape<typeof SyncObjectsRequestSchema>, "upserts" | "deletedUids">;

/** Splits objects into requests of a size that servers accept; each object is serialised right before its request is sent. */
function* requestsOf(
  objects: readonly SourceObject[],
  deletedUids: readonly string[],
): Generator<Part> {
  const encoder = new TextEncoder();
  let part = { upserts: [] as ReturnType<typeof messageOf>[], deletedUids: [...deletedUids] };
  let bytes = 0;
  for (const object of objects) {
    const message = messageOf(object, encoder);
    if (bytes > 0 && bytes + message.json.byteLength > MOST_BYTES) {
      yield part;
      part = { upserts: [], deletedUids: [] };
      bytes = 0;
    }
    part.upserts.push(message);
    bytes += message.json.byteLength;
  }
  yield part;
}

function messageOf(object: SourceObject, encoder: TextEncoder) {
  const { kind, uid, resourceVersion, namespace, name } = object;
  const ref = { kind: KINDS[kind], uid, resourceVersion };
  return { ref, namespace, name, json: encoder.encode(object.json()) };
}

const KINDS: Readonly<Record<SourceKind, ObjectKind>> = {
  Node: ObjectKind.NODE,
  Service: ObjectKind.SERVICE,
};
