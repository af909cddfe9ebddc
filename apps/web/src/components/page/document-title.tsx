/** The window's title with what the page found; React hoists it into the head. */
export function DocumentTitle({ title }: { readonly title: string }) {
  return <title>{`${title} · Cloudwright`}</title>;
}
