import { AsyncLocalStorage } from "node:async_hooks";
import type { Change } from "../../model/plan.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";

/** What a read-only part of a reconciler has created itself, and may therefore fill. */
interface Reading {
  readonly part: string;
  readonly own: WeakSet<object>;
}

const reading = new AsyncLocalStorage<Reading | undefined>();

/**
 * Wraps a reconciler so that `observe`, `plan` and `conclude` throw when they change a Map or Set that they have not created
 * themselves, or anything that they were given, such as a pool that runs share. What a run's context returns belongs to the
 * engine.
 */
export function readsOnly<Observed, Typed extends Change, Memory, Answer>(
  reconciler: Reconciler<Observed, Typed, Memory, Answer>,
): Reconciler<Observed, Typed, Memory, Answer> {
  watchCollections();
  const overrides: Partial<Reconciler<Observed, Typed, Memory, Answer>> = {
    observe: (key, context) =>
      within("observe", () =>
        reconciler.observe(key, {
          ...context,
          // A directory may keep who asks and what was answered.
          cloud: (directory) => unwatched(context.cloud(unwatched(directory))),
          memory: frozen(context.memory),
        }),
      ),
    plan: (observed, memory, nowMs) =>
      within("plan", () => frozen(reconciler.plan(frozen(observed), frozen(memory), nowMs))),
    conclude: (run) =>
      within("conclude", () => {
        const { observed, plan, memory } = run;
        frozen({ observed, plan, memory });
        return reconciler.conclude(Object.freeze(run));
      }),
  };
  return new Proxy(reconciler, {
    get: (target, name) => {
      if (name in overrides) return Reflect.get(overrides, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function within<Result>(part: string, work: () => Result): Result {
  return reading.run({ part, own: new WeakSet() }, work);
}

function unwatched<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => reading.exit(() => value.apply(target, given));
    },
  });
}

/** Deep-freezes plain data; instances of classes are watched through what they keep. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

let isWatching: boolean = false;

function watchCollections(): void {
  if (isWatching) return;
  isWatching = true;
  for (const kind of [Map, Set]) {
    for (const name of ["set", "add", "delete", "clear"]) watch(kind.prototype, name);
  }
  globalThis.Map = noting(Map);
  globalThis.Set = noting(Set);
}

function watch(prototype: object, name: string): void {
  const original: unknown = Reflect.get(prototype, name);
  if (typeof original !== "function") return;
  const checked = function (this: object, ...given: unknown[]): unknown {
    const now = reading.getStore();
    if (now !== undefined && !now.own.has(this)) {
      throw new Error(`${now.part} changed a ${this.constructor.name} that it shares with others.`);
    }
    return original.apply(this, given);
  };
  Object.defineProperty(prototype, name, { value: checked, writable: true, configurable: true });
}

/** Returns the constructor, extended to note what is created during a read. */
function noting<Kind extends MapConstructor | SetConstructor>(kind: Kind): Kind {
  return new Proxy(kind, {
    construct: (target, given, newTarget) => {
      const now = reading.getStore();
      const made: object = reading.exit(() => Reflect.construct(target, given, newTarget));
      now?.own.add(made);
      return made;
    },
  });
}
