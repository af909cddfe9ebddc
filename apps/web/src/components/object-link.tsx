import { Link } from "./link.tsx";
import { fullName, type NamedObject, objectAddress } from "./url/object-address.ts";
import { useClusterId } from "./url/use-url-state.ts";

/** The name of an object, and the way to its page where it has one. */
export function ObjectLink({
  object,
  className,
  tabIndex,
}: {
  readonly object: NamedObject;
  readonly className?: string | undefined;
  /** Of a row whose own link is another one. */
  readonly tabIndex?: -1 | undefined;
}) {
  const cluster = useClusterId();
  const href = objectAddress(cluster, object);
  const name = fullName(object);
  if (href === undefined) {
    return (
      <span className={className} title={`${object.kind} ${name}`}>
        {name}
      </span>
    );
  }
  return (
    <Link href={href} className={className} prefetch={false} tabIndex={tabIndex}>
      {name}
    </Link>
  );
}
