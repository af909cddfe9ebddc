import type { Metadata } from "next";
import { ObjectPage } from "../../../../../../features/objects/object-page.tsx";

interface Props {
  readonly params: Promise<{ kind: string; name: readonly string[] }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: nameOf(await params) };
}

export default async function Page({ params }: Props) {
  const given = await params;
  return <ObjectPage kind={decodeURIComponent(given.kind)} name={nameOf(given)} />;
}

function nameOf({ name }: { readonly name: readonly string[] }): string {
  return name.map(decodeURIComponent).join("/");
}
