import { Link } from "./link.tsx";
import { fullName, type NamedObject, objectAddress } from "./url/object-address.ts";
import { useClusterId } from "./url/use-url-state.ts";

/** The name of an object, as a link if the object has a page. */
export function ObjectLink({
  object,
  className,
  tabIndex,
}: {
  readonly object: NamedObject;
  readonly className?: string | undefined;
  /** Set in a row whose own link is a different one. */
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
