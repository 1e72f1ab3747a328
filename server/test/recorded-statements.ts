import pg from 'pg'
import { vi } from 'vitest'

/** A statement as it is sent to PostgreSQL, and its values. */
export type SentStatement = { text: string; values: unknown[] }

/**
 * How the statements begin that the bank sends without being asked: whether PostgreSQL is there (every five seconds),
 * the requests that were counted, and that an event has happened. They come between the statements of any request.
 */
const SENT_UNASKED = ['SELECT 1', 'WITH clock AS', 'SELECT pg_notify']

/** The statements that are sent to PostgreSQL while `act` runs, in their order, without those that nobody asked for. */
export async function recordedStatements(act: () => Promise<unknown>): Promise<SentStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    return (query.mock.calls as unknown[][]).map(toSent).filter(isAskedFor)
  } finally {
    query.mockRestore()
  }
}

function toSent([asked, given]: unknown[]): SentStatement {
  const { text = '', values } = typeof asked === 'string' ? { text: asked } : (asked as Partial<SentStatement>)
  return { text: text.trim(), values: values ?? (Array.isArray(given) ? given : []) }
}

function isAskedFor({ text }: SentStatement): boolean {
  return !SENT_UNASKED.some(
    (beginning) => text === beginning || text.startsWith(`${beginning} `) || text.startsWith(`${beginning}(`),
  )
}
