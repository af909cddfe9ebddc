/** Licences under which a package may be distributed with ours. Their obligations are described in the licence list. */
const ALLOWED = {
  "0BSD": "nothing is asked",
  "Apache-2.0": "keep the licence and the notices",
  "BlueOak-1.0.0": "keep the licence",
  "BSD-2-Clause": "keep the notice",
  "BSD-3-Clause": "keep the notice",
  "CC-BY-4.0": "name the source (data of browsers, for the build alone)",
  "CC0-1.0": "nothing is asked",
  "EPL-2.0":
    "offer the source of changes (a part of Prisma's own pages, which we neither change nor serve)",
  ISC: "keep the notice",
  "LGPL-3.0-or-later":
    "let it be replaced (a library for pictures that Next loads where it is there)",
  MIT: "keep the notice",
  "MPL-2.0": "offer the source of changed files (we change none)",
  "OFL-1.1": "keep the licence with the fonts",
  "Python-2.0": "keep the notice",
  Unlicense: "nothing is asked",
};

/** Packages whose package.json names no licence, and the one in the file beside it. */
const AS_THEIR_FILE_SAYS = { "seq-queue@0.0.5": "MIT" };

/** Returns the licence of each component of an SBOM: `{ name, licence, problem }`, sorted by name; `problem` is a sentence or undefined. */
export function licencesOf(components) {
  return components
    .map((component) => licenceOf(component))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function licenceOf(component) {
  const name = component["bom-ref"];
  const licence = namedLicence(component) ?? AS_THEIR_FILE_SAYS[name];
  if (licence === undefined) {
    return { name, licence: "none", problem: `${name} names no licence: read its LICENSE file.` };
  }
  const unknown = idsOf(licence).filter((id) => !(id in ALLOWED));
  if (unknown.length === 0) return { name, licence, problem: undefined };
  const problem = `${name} is under ${unknown.join(" and ")}, which is not among the allowed licences: take another package, or allow it.`;
  return { name, licence, problem };
}

function namedLicence({ licenses = [] }) {
  const named = licenses.map(
    ({ license, expression }) => expression ?? license?.id ?? license?.name,
  );
  return named.length === 0 ? undefined : named.join(" AND ");
}

/** If there is a choice, all of its licences have to be allowed, so that nobody has to choose. */
function idsOf(licence) {
  return licence.split(/[\s()]+/).filter((word) => word !== "" && !/^(and|or)$/i.test(word));
}

/** Returns the licence list as a page. */
export function licencePage(licences) {
  const groups = new Map();
  for (const { name, licence } of licences)
    groups.set(licence, [...(groups.get(licence) ?? []), name]);
  const sections = [...groups].sort(([, a], [, b]) => b.length - a.length).map(section);
  return `# Licences of what comes with Cloudwright\n\n${sections.join("\n")}`;
}

function section([licence, names]) {
  const terms = idsOf(licence).map((id) => `${id}: ${ALLOWED[id] ?? "unknown"}.`);
  const list = names.map((name) => `- ${name}\n`).join("");
  return `## ${licence} (${names.length})\n\n${terms.join(" ")}\n\n${list}`;
}
