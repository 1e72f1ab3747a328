type Page = { transactions: { transactionId: string; amountMinor: number }[]; nextCursor: string | null }

/** The transactions of all payments of a cent in a customer's list, page by page; `read` gets a page as they see it. */
export async function listSends(read: (path: string) => Promise<Page>): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await read(`/api/v1/transactions${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
    found.push(...page.transactions.filter((each) => each.amountMinor === -1).map((each) => each.transactionId))
    cursor = page.nextCursor
  }
  return found
}
