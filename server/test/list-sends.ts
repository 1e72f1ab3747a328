type Page = { transactions: { transactionId: string; amountMinor: number }[]; nextCursor: string | null }

/**
 * Reads a customer's list page by page, and returns the ids of all outgoing payments of one cent. `readPage` fetches a page as
 * the customer.
 */
export async function listSends(readPage: (path: string) => Promise<Page>): Promise<string[]> {
  const sends: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await readPage(`/api/v1/transactions${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
    sends.push(...page.transactions.filter((each) => each.amountMinor === -1).map((each) => each.transactionId))
    cursor = page.nextCursor
  }
  return sends
}
