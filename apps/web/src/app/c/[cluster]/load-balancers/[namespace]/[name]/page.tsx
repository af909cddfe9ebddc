import type { Metadata } from "next";
import { LoadBalancerPage } from "../../../../../../features/load-balancers/detail/load-balancer-page.tsx";

interface Props {
  readonly params: Promise<{ namespace: string; name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { namespace, name } = await params;
  return { title: `${decodeURIComponent(namespace)}/${decodeURIComponent(name)}` };
}

export default async function Page({ params }: Props) {
  const { namespace, name } = await params;
  return (
    <LoadBalancerPage namespace={decodeURIComponent(namespace)} name={decodeURIComponent(name)} />
  );
}
