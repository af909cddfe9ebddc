import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { SignInCard } from "../../features/sign-in/sign-in-card.tsx";
import { safeNextPath } from "../../server/requests/same-origin.ts";
import { codeAskedOf, linkState, signInWays } from "../../server/sign-in/sign-in-page.ts";

export function generateMetadata(): Metadata {
  return { title: t`Sign in` };
}

export default async function SignInPage({
  searchParams,
}: {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}) {
  const params = await searchParams;
  const token = one(params.token);
  const refused = one(params.refused);
  const isCodeAsked =
    one(params.step) === "code" || refused === "code" || refused === "code-locked";
  const codeOf = isCodeAsked ? codeAskedOf(await headers()) : undefined;
  return (
    <SignInCard
      link={await linkState(token)}
      codeOf={codeOf}
      token={token ?? ""}
      next={safeNextPath(one(params.next))}
      notice={isCodeAsked && codeOf === undefined ? "code-expired" : refused}
      ways={signInWays()}
    />
  );
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
