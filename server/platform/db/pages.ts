/** The number of rows in one read. */
export const PAGE_SIZE = 500

/**
 * Returns all items of a list, page by page. `readPage` receives the position of the last item of the previous page; null for
 * the first page.
 */
export async function* everyPage<Item, Position>(
  readPage: (last: Position | null) => Promise<Item[]>,
  positionOf: (item: Item) => Position,
): AsyncGenerator<Item> {
  let page = await readPage(null)
  yield* page
  for (let last = page.at(-1); last !== undefined && page.length === PAGE_SIZE; last = page.at(-1)) {
    page = await readPage(positionOf(last))
    yield* page
  }
}
