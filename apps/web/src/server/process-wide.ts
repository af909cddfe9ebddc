/**
 * One value for the whole process. The server is bundled in several parts, each with modules of its own, so a module's
 * variable would be made several times; the global object is there once.
 */
export function processWide<Value>(name: string, create: () => Value): Value {
  const key = Symbol.for(`cloudwright.web.${name}`);
  const found: unknown = Reflect.get(globalThis, key);
  if (found !== undefined) return found as Value;
  const made = create();
  Reflect.set(globalThis, key, made);
  return made;
}
