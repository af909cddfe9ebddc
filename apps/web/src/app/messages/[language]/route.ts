import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { SOURCE_SYMBOL } from "@cloudwright/core/model/language/text";
import { catalogOf } from "../../../server/language/catalogs.ts";

interface Asked {
  readonly params: Promise<{ readonly language: string }>;
}

/** The messages of one language as a script that a page runs before its own. They are the same for everybody. */
export async function GET(_: Request, { params }: Asked): Promise<Response> {
  const asked = (await params).language;
  const language = LANGUAGES.find((each) => each === asked);
  const catalog = language === undefined ? undefined : catalogOf(language);
  if (catalog === undefined) {
    return new Response("There are no messages of this language.\n", { status: 404 });
  }
  const script = [
    `const catalog=${JSON.stringify(catalog)};`,
    `globalThis[Symbol.for(${JSON.stringify(SOURCE_SYMBOL)})]=`,
    `{language:${JSON.stringify(language)},catalogOf:()=>catalog};`,
  ].join("");
  return new Response(`{${script}}`, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
