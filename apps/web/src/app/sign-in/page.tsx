import type { Metadata } from "next";
import { SignInCard } from "../../features/sign-in/sign-in-card.tsx";
import { safeNextPath } from "../../server/requests/same-origin.ts";
import { linkState, signInWays } from "../../server/sign-in/sign-in-page.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}) {
  const params = await searchParams;
  const token = one(params.token);
  return (
    <SignInCard
      link={await linkState(token)}
      token={token ?? ""}
      next={safeNextPath(one(params.next))}
      notice={one(params.refused)}
      ways={signInWays()}
    />
  );
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
