import pg from 'pg'
import { vi } from 'vitest'

/** A statement sent to PostgreSQL, with its values. */
export type SentStatement = { text: string; values: unknown[] }

/** The bank's check that PostgreSQL responds. It runs every five seconds, so it may appear between any two statements. */
const PING = 'SELECT 1'

/** Returns the statements sent to PostgreSQL while `act` runs, in order, without the check. */
export async function recordedStatements(act: () => Promise<unknown>): Promise<SentStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    return (query.mock.calls as unknown[][]).map(toSent).filter(({ text }) => text !== PING)
  } finally {
    query.mockRestore()
  }
}

function toSent([query, parameters]: unknown[]): SentStatement {
  const { text = '', values } = typeof query === 'string' ? { text: query } : (query as Partial<SentStatement>)
  return { text: text.trim(), values: values ?? (Array.isArray(parameters) ? parameters : []) }
}
