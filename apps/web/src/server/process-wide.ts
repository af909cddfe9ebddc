/**
 * Returns one value for the whole process. The server is bundled in several parts, each with its own copies of modules, so a module's
 * variable would exist several times; the global object exists once.
 */
export function processWide<Value>(name: string, create: () => Value): Value {
  const key = Symbol.for(`cloudwright.web.${name}`);
  const found: unknown = Reflect.get(globalThis, key);
  if (found !== undefined) return found as Value;
  const made = create();
  Reflect.set(globalThis, key, made);
  return made;
}
