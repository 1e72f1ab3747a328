import { queryOptions, skipToken } from '@tanstack/react-query'
import type { CsvStyle, StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

export const statementAccountsQuery = queryOptions({
  queryKey: ['statements'],
  meta: { ...KEPT, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.statements.$get({}, withSignal(signal))),
})

/** What is asked for: of one account, a range with nothing wrong in it. */
export type AskedStatement = { id: string; range: StatementRange }

/** Null asks for nothing yet. */
export const statementQuery = (asked: AskedStatement | null) =>
  queryOptions({
    queryKey: ['statements', asked?.id, asked?.range],
    meta: TOUCHED,
    queryFn: asked
      ? ({ signal }) => {
          const { id, range } = asked
          return unwrap(api.statements[':id'].$get({ param: { id }, query: range }, withSignal(signal)))
        }
      : skipToken,
  })

/** Where the file is. */
export const statementUrl = (
  { id, range }: AskedStatement,
  { format, csv }: { format: StatementFormat; csv: CsvStyle },
): string =>
  `/api/v1/statements/${encodeURIComponent(id)}/file?${new URLSearchParams({ ...range, format, csv }).toString()}`
