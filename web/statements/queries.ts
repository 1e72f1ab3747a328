import { queryOptions, skipToken } from '@tanstack/react-query'
import type { CsvStyle, StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

export const statementAccountsQuery = queryOptions({
  queryKey: ['statements'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.statements.$get({}, withSignal(signal))),
})

/** A request for a statement: an account and a valid period. */
export type StatementRequest = { id: string; range: StatementRange }

/** Loads the totals of a statement. If `request` is null, no request is sent. */
export const statementQuery = (request: StatementRequest | null) =>
  queryOptions({
    queryKey: ['statements', request?.id, request?.range],
    meta: TOUCHED,
    queryFn: request
      ? ({ signal }) => {
          const { id, range } = request
          return unwrap(api.statements[':id'].$get({ param: { id }, query: range }, withSignal(signal)))
        }
      : skipToken,
  })

/** Returns the address of a statement's file. */
export const accountStatementUrl = (
  { id, range }: StatementRequest,
  { format, csv }: { format: StatementFormat; csv: CsvStyle },
): string =>
  `/api/v1/statements/${encodeURIComponent(id)}/file?${new URLSearchParams({ ...range, format, csv }).toString()}`
