import pg from 'pg'
import { vi } from 'vitest'

/** A statement as it is sent to PostgreSQL, and its values. */
export type SentStatement = { text: string; values: unknown[] }

/** The bank's own question whether PostgreSQL is there. It is sent every five seconds, so it may come between any two statements. */
const PING = 'SELECT 1'

/** The statements that are sent to PostgreSQL while `act` runs, in their order, without the ping. */
export async function recordedStatements(act: () => Promise<unknown>): Promise<SentStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    return (query.mock.calls as unknown[][]).map(toSent).filter(({ text }) => text !== PING)
  } finally {
    query.mockRestore()
  }
}

function toSent([asked, given]: unknown[]): SentStatement {
  const { text = '', values } = typeof asked === 'string' ? { text: asked } : (asked as Partial<SentStatement>)
  return { text: text.trim(), values: values ?? (Array.isArray(given) ? given : []) }
}
