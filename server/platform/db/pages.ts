/** How many rows are read at a time. */
export const PAGE_SIZE = 500

/** All items of a list that is read page by page: `read` is told the position of the last item of the page before. */
export async function* everyPage<Item, Position>(
  read: (last: Position | null) => Promise<Item[]>,
  positionOf: (item: Item) => Position,
): AsyncGenerator<Item> {
  let page = await read(null)
  yield* page
  for (let last = page.at(-1); last !== undefined && page.length === PAGE_SIZE; last = page.at(-1)) {
    page = await read(positionOf(last))
    yield* page
  }
}
