import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { messagesScript } from "../../../server/language/messages-script.ts";

interface Asked {
  readonly params: Promise<{ readonly language: string }>;
}

/** Messages of one language as a script that a page runs before its own. They are the same for everybody. */
export async function GET(request: Request, { params }: Asked): Promise<Response> {
  const asked = (await params).language;
  const language = LANGUAGES.find((each) => each === asked);
  if (language === undefined || language === "en") {
    return new Response("There are no messages of this language.\n", { status: 404 });
  }
  const chunks = new URL(request.url).searchParams.get("chunks")?.split(",");
  const { body, encoding } = compressed(messagesScript(language, chunks), request);
  return new Response(body, {
    headers: {
      ...encoding,
      Vary: "Accept-Encoding",
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}

/** Next compresses pages and files, and not this. Browsers take Brotli where nobody between can change what is sent. */
function compressed(script: string, { headers }: Request) {
  const accepted = headers.get("accept-encoding") ?? "";
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    const body = new Uint8Array(brotliCompressSync(script, { params }));
    return { body, encoding: { "Content-Encoding": "br" } };
  }
  if (/\bgzip\b/.test(accepted)) {
    return { body: new Uint8Array(gzipSync(script)), encoding: { "Content-Encoding": "gzip" } };
  }
  return { body: script, encoding: {} };
}

/** The best takes ten times as long for a few bytes. */
const QUALITY = 9;
